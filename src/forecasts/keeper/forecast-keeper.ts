import type { Chain } from '../../chain/chain.ts';
import type { OutageLog } from '../../common/outage-log.ts';
import type { Leases } from '../../common/ports/leases.ts';
import type { Metrics } from '../../common/ports/metrics.ts';
import { repeatFromNow, type Timers, waitWithin } from '../../common/ports/timers.ts';
import { KeeperSender } from '../../predictions/keeper/sending/keeper-sender.ts';
import type { DescribeFailure } from '../../transactions/transaction-failure.ts';
import type { GasBudget } from '../../waiting-orders/fills/gas-budget.ts';
import type { GasWallet } from '../../waiting-orders/fills/gas-wallet.ts';
import { KeeperLead } from '../../waiting-orders/keeper/keeper-lead.ts';
import { StoppableTimers } from '../../waiting-orders/keeper/stoppable-timers.ts';
import type { ForecastRoundFollower } from '../rounds/forecast-round-follower.ts';
import { createForecastKeeperMetrics, type ForecastKeeperMetrics } from './forecast-keeper-metrics.ts';
import { KeeperTasks } from './keeper-tasks.ts';
import { RoundMinder } from './round-minder.ts';
import { RoundPayouts } from './round-payouts.ts';

/** The lease of the one keeper that works on rounds. */
const LEASE = 'forecast-keeper';
/** How often the keeper looks for what is due. */
export const FORECAST_TURN_MS = 500;
/** Rounds that are opened, get their results or are closed at a time. */
const ROUNDS_AT_ONCE = 16;
/** Rounds whose holders are paid at a time. */
const PAID_AT_ONCE = 4;
/** How long it takes at most to end what is on its way. */
const MAX_LAST_WORK_MS = 10_000;

export interface ForecastKeeperOptions {
  readonly chain: Chain;
  readonly rounds: Pick<ForecastRoundFollower, 'find' | 'list' | 'onChange' | 'config' | 'unhealthy'>;
  readonly describeFailure: DescribeFailure;
  /** The operator's wallet, which signs and pays, within its budget. */
  readonly wallet: Pick<GasWallet, 'keypair' | 'budget' | 'isEmpty'>;
  /** Limits what payouts cost, so that holders cannot use up what the rounds need. */
  readonly payoutBudget: GasBudget;
  /** By which one of several keepers leads. Null for a keeper that is alone. */
  readonly leases: Leases | null;
  readonly timers: Timers;
  readonly metrics: Metrics;
  /** Called when the store or the chain does not answer, and when they do. */
  readonly outage: OutageLog;
  readonly onDefect: (where: string, error: unknown) => void;
}

/**
 * Opens rounds, settles them by the first price at or after their close or voids them, pays their holders, and closes them. All is
 * decided by the chain as it is, and each step is refused by the program when it is done already. So whatever a keeper leaves
 * unfinished, another one or the next start finishes.
 */
export class ForecastKeeper {
  readonly #options: ForecastKeeperOptions;
  readonly #timers: StoppableTimers;
  readonly #lead: KeeperLead;
  readonly #metrics: ForecastKeeperMetrics;
  readonly #tasks: KeeperTasks;
  readonly #payoutTasks: KeeperTasks;
  readonly #payouts: RoundPayouts;
  readonly #minder: RoundMinder;
  readonly #stopListening: () => void;
  #isDraining = false;
  #running: Promise<void> = Promise.resolve();
  #stop: () => void = () => undefined;
  #failure: string | null = 'it has not looked at the rounds of forecasts yet';

  constructor(options: ForecastKeeperOptions) {
    const { chain, rounds, leases, metrics, payoutBudget, wallet } = options;
    this.#options = options;
    this.#timers = new StoppableTimers(options.timers);
    this.#lead = new KeeperLead(leases, LEASE);
    this.#metrics = createForecastKeeperMetrics(metrics, {
      rounds,
      now: () => Number(chain.clock().unixTimestamp),
      reserve: () => this.#minder.reserve,
      waiting: () => this.#payouts.waiting,
    });
    const sending = {
      ...options,
      timers: this.#timers,
      giftBudget: payoutBudget,
      cosigner: null,
      onCost: () => undefined,
    };
    const operator = wallet.keypair.address;
    const onError = (error: unknown) => this.#noteError(error);
    const mayGoOn = () => !this.#isDraining && this.#lead.isHeld && chain.unhealthy() === null;
    this.#tasks = new KeeperTasks({ atOnce: ROUNDS_AT_ONCE, timers: this.#timers, onError });
    this.#payoutTasks = new KeeperTasks({ atOnce: PAID_AT_ONCE, timers: this.#timers, onError });
    this.#payouts = new RoundPayouts({
      chain,
      operator,
      timers: this.#timers,
      mayGoOn,
      sender: new KeeperSender({
        ...sending,
        wallet: { keypair: wallet.keypair, budget: payoutBudget, isEmpty: () => wallet.isEmpty() },
      }),
      onOutcome: ({ kind }) =>
        this.#metrics.transactions.add({ task: 'pay', outcome: kind === 'done' ? 'success' : kind }),
      paid: this.#metrics.payouts,
    });
    this.#minder = new RoundMinder({
      chain,
      rounds,
      operator,
      sender: new KeeperSender(sending),
      tasks: this.#tasks,
      payoutTasks: this.#payoutTasks,
      payouts: this.#payouts,
      metrics: this.#metrics,
      mayGoOn,
    });
    this.#stopListening = rounds.onChange((address) => {
      const outcome = rounds.find(address)?.outcome ?? null;
      if (outcome !== null) this.#metrics.roundsEnded.add({ outcome });
    });
  }

  /** Begins to work. Resolves after the first turn. */
  start(): Promise<void> {
    const work = () => {
      this.#running = this.#turn().catch((error: unknown) => this.#noteError(error));
      return this.#running;
    };
    const { first, stop } = repeatFromNow(FORECAST_TURN_MS, work, this.#timers, (error) =>
      this.#noteError(error),
    );
    this.#stop = stop;
    return first;
  }

  /** Returns why rounds are not opened, settled or paid now; null when they are, or another keeper leads. */
  unhealthy(): string | null {
    const { chain, rounds, wallet } = this.#options;
    const waits = this.#failure ?? chain.unhealthy();
    if (waits !== null || !this.#lead.isHeld) return waits;
    if (rounds.unhealthy() !== null) return rounds.unhealthy();
    return wallet.isEmpty() ? 'the wallet of the keeper of forecasts is empty' : this.#minder.problem;
  }

  /** Begins nothing more. Resolves when no transaction is on its way. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    this.#stop();
    await this.#running;
    await Promise.all([this.#tasks.drain(), this.#payoutTasks.drain()]);
    await this.#release();
  }

  /** Ends everything. How a transaction ends that was sent is left to the chain. */
  async close(): Promise<void> {
    this.#isDraining = true;
    this.#stop();
    this.#stopListening();
    await waitWithin(this.#running, MAX_LAST_WORK_MS, this.#options.timers);
    this.#timers.stop();
    await this.#release();
  }

  async #release(): Promise<void> {
    await this.#lead
      .release()
      .catch((error: unknown) => this.#options.onDefect('a lease is not released', error));
  }

  async #turn(): Promise<void> {
    const { chain, rounds, outage } = this.#options;
    await this.#lead.renew();
    // What is not read yet would be taken for what does not exist.
    const mayLook = this.#lead.isHeld && chain.unhealthy() === null && rounds.unhealthy() === null;
    if (mayLook && !this.#isDraining) await this.#minder.mindAll();
    outage.onAnswer();
    this.#failure = null;
  }

  /** What is cut short at the end is no outage. */
  #noteError(error: unknown): void {
    if (this.#isDraining) return;
    this.#failure = 'the network, the database or the server of leases does not answer';
    this.#options.outage.onFailure(error);
  }
}
