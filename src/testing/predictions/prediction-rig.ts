import type { Leases } from '../../common/ports/leases.ts';
import { Unavailable } from '../../common/unavailable.ts';
import { joinProgramErrorNames } from '../../market/program-errors.ts';
import { PREDICTION_ROUND_MS } from '../../predictions/keeper/prediction-keeper.ts';
import { createGiftBudget } from '../../predictions/keeper/sending/gift-budget.ts';
import { PredictionAccountFollower } from '../../predictions/following/prediction-account-follower.ts';
import {
  openPredictionKeeper,
  type OpenedPredictionKeeper,
} from '../../predictions/opening/open-prediction-keeper.ts';
import { PROTOCOLS } from '../../protocols/index.ts';
import type { Address } from '../../solana/address.ts';
import type { Store } from '../../store/index.ts';
import { createFailureDescriber } from '../../transactions/transaction-failure.ts';
import type { GasLimits } from '../../waiting-orders/fills/gas-budget.ts';
import { GasWallet } from '../../waiting-orders/fills/gas-wallet.ts';
import { CountedMetrics } from '../counted-metrics.ts';
import { ManualTimers } from '../timers.ts';
import { InterruptedCalls } from '../waiting-orders/interrupted.ts';
import { PredictionWorld } from './prediction-world.ts';

const MAX_ROUNDS = 200;

/** A keeper of its own process, with everything that it calls. */
export interface PredictionProcess {
  readonly keeper: OpenedPredictionKeeper;
  readonly calls: InterruptedCalls;
  readonly accounts: PredictionAccountFollower;
}

/** Keepers over a world with a real exchange in a database, and a clock that the test moves. */
export class PredictionRig extends PredictionWorld {
  readonly timers = new ManualTimers();
  readonly metrics = new CountedMetrics();
  readonly outages: unknown[] = [];
  readonly defects: unknown[] = [];
  limits: GasLimits = { perWallet: 100_000_000n, inAll: 10_000_000_000n };
  orderLifetime = 86_400n;
  readonly #store: Store;
  readonly #processes: PredictionProcess[] = [];
  readonly #wallets: GasWallet[] = [];

  constructor(store: Store) {
    super();
    this.#store = store;
  }

  /** How many transactions with fills have succeeded. */
  fills(): number {
    return this.metrics.countsOf('sluice_predictions_transactions_total')['fill success'] ?? 0;
  }

  /** The keeper of the first process. */
  get keeper(): OpenedPredictionKeeper {
    const [process] = this.#processes;
    if (process === undefined) throw new Error('no keeper was started');
    return process.keeper;
  }

  /** Starts a keeper that has seen nothing of the others. */
  async start({
    calls = new InterruptedCalls(),
    leases = null,
    store = this.#store,
  }: {
    readonly calls?: InterruptedCalls;
    readonly leases?: Leases | null;
    readonly store?: Store;
  } = {}): Promise<PredictionProcess> {
    const chain = calls.wrap(this.chain);
    const onFailure = (error: unknown) => {
      (error instanceof Unavailable ? this.outages : this.defects).push(error);
    };
    const outage = { onFailure, onAnswer: () => undefined };
    const onDefect = (_: string, error: unknown) => this.defects.push(error);
    const { limits, timers, metrics, events, keys } = this;
    const accounts = await PredictionAccountFollower.open({ chain: this.chain, timers, outage, onDefect });
    const wallet = await GasWallet.open(keys.keeper, { limits, store, chain: this.chain });
    this.#wallets.push(wallet);
    const opening = openPredictionKeeper({
      chain,
      store: calls.wrap(store),
      describeFailure: createFailureDescriber(joinProgramErrorNames(PROTOCOLS)),
      events,
      accounts,
      unread: () => accounts.unhealthy(),
      wallet: {
        keypair: wallet.keypair,
        budget: calls.wrap(wallet.budget),
        isEmpty: () => wallet.isEmpty(),
      },
      giftBudget: calls.wrap(createGiftBudget(keys.keeper.address, limits, store)),
      cosigner: keys.cosigner,
      leases,
      timers,
      metrics,
      orderLifetimeSeconds: this.orderLifetime,
      outage,
      onDefect,
    });
    for (let quiet = 0; quiet < 30; quiet++) await new Promise(setImmediate);
    // A process that is killed while it opens never opens.
    timers.advance(5_000);
    const process = { keeper: await opening, calls, accounts };
    this.#processes.push(process);
    await this.quiet();
    return process;
  }

  /** Waits until no call of a keeper is under way. */
  async quiet(): Promise<void> {
    for (let quiet = 0; quiet < 12; quiet++) {
      await new Promise(setImmediate);
      if (this.#processes.some(({ calls }) => calls.pending > 0)) quiet = -1;
    }
  }

  /** Lets rounds pass, by the clock of the keepers. */
  async pass(rounds = 1): Promise<void> {
    for (let round = 0; round < rounds; round++) {
      this.timers.advance(PREDICTION_ROUND_MS);
      await this.quiet();
    }
  }

  /** Lets rounds pass until something is so. */
  async runUntil(isDone: () => boolean): Promise<void> {
    for (let round = 0; round < MAX_ROUNDS && !isDone(); round++) await this.pass();
    if (!isDone()) throw new Error(`it did not happen: ${this.outages} ${this.defects}`);
  }

  /** Lets rounds pass until these orders are closed. */
  runUntilClosed(...orders: readonly Address[]): Promise<void> {
    return this.runUntil(() => orders.every((order) => !this.isOpen(order)));
  }

  /** Ends a process as if it was killed. */
  kill({ calls, keeper, accounts }: PredictionProcess): void {
    calls.kill();
    void keeper.close();
    void accounts.close();
  }

  async closeAll(): Promise<void> {
    for (const { keeper, accounts } of this.#processes.splice(0)) {
      void keeper.close();
      void accounts.close();
    }
    for (let turn = 0; turn < 12; turn++) await new Promise(setImmediate);
    this.timers.advance(10_000);
    for (let turn = 0; turn < 12; turn++) await new Promise(setImmediate);
    for (const wallet of this.#wallets.splice(0)) wallet.close();
  }
}
