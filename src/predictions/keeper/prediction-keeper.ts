import type { Chain } from '../../chain/chain.ts';
import type { OutageLog } from '../../common/outage-log.ts';
import type { Leases } from '../../common/ports/leases.ts';
import type { Metrics } from '../../common/ports/metrics.ts';
import { repeatFromNow, type Timers, waitWithin } from '../../common/ports/timers.ts';
import { openExchangeBooks } from '../../exchange/running/exchange-books.ts';
import { ExchangeDeposed } from '../../exchange/journal/exchange-journal.ts';
import type { Keypair } from '../../solana/keypair.ts';
import type { Store } from '../../store/index.ts';
import type { DescribeFailure } from '../../transactions/transaction-failure.ts';
import type { GasBudget } from '../../waiting-orders/fills/gas-budget.ts';
import type { GasWallet } from '../../waiting-orders/fills/gas-wallet.ts';
import { KeeperLead } from '../../waiting-orders/keeper/keeper-lead.ts';
import { StoppableTimers } from '../../waiting-orders/keeper/stoppable-timers.ts';
import type { PredictionAccounts, PredictionEvents } from '../prediction.ts';
import { KeeperSender } from './sending/keeper-sender.ts';
import { KeeperSession } from './keeper-session.ts';
import { createPredictionKeeperMetrics, type PredictionKeeperMetrics } from './prediction-keeper-metrics.ts';

/** The lease of the one keeper that has the exchange. */
const LEASE = 'prediction-keeper';
/** How often the keeper looks for what is due. */
export const PREDICTION_ROUND_MS = 500;
/** How long it takes at most to end what is on its way. */
const MAX_LAST_WORK_MS = 10_000;

export interface PredictionKeeperOptions {
  readonly chain: Chain;
  readonly store: Store;
  readonly describeFailure: DescribeFailure;
  readonly events: PredictionEvents;
  readonly accounts: PredictionAccounts;
  /** Returns why events or accounts are not known yet, so that nothing can be decided by them; null if they are. */
  readonly unread: () => string | null;
  /** The keeper's wallet, which signs and pays, within its budget. */
  readonly wallet: Pick<GasWallet, 'keypair' | 'budget' | 'isEmpty'>;
  /** Limits what wallets are given. */
  readonly giftBudget: GasBudget;
  /** Signs fills besides the keeper. */
  readonly cosigner: Keypair;
  /** By which one of several keepers leads. Null for a keeper that is alone. */
  readonly leases: Leases | null;
  readonly timers: Timers;
  readonly metrics: Metrics;
  /** How long an order may wait to be filled, in seconds. */
  readonly orderLifetimeSeconds: bigint;
  /** Called when the store or the chain does not answer, and when they do. */
  readonly outage: OutageLog;
  readonly onDefect: (where: string, error: unknown) => void;
}

/**
 * Matches orders that have landed, settles their trades, closes them, and ends markets and positions. The chain has orders and
 * positions, and the journal of the exchange has what was agreed and is not on the chain yet. So whatever a keeper leaves
 * unfinished, another one or the next start finishes.
 */
export class PredictionKeeper {
  readonly #options: PredictionKeeperOptions;
  readonly #timers: StoppableTimers;
  readonly #lead: KeeperLead;
  readonly #metrics: PredictionKeeperMetrics;
  readonly #sender: KeeperSender;
  readonly #uncovered = new Set<string>();
  #session: KeeperSession | null = null;
  readonly #onSession: (session: KeeperSession | null) => void;
  #isDraining = false;
  #running: Promise<void> = Promise.resolve();
  #stop: () => void = () => undefined;
  #failure: string | null = 'it is opening the exchange';

  /** @param onSession - Called when the keeper has begun to lead, and with null when it no longer does. */
  constructor(
    options: PredictionKeeperOptions,
    onSession: (session: KeeperSession | null) => void = () => undefined,
  ) {
    const { leases, metrics, timers } = options;
    this.#options = options;
    this.#onSession = onSession;
    this.#timers = new StoppableTimers(timers);
    this.#lead = new KeeperLead(leases, LEASE);
    this.#metrics = createPredictionKeeperMetrics(metrics, {
      queued: () => (this.#session?.sizes.orders ?? 0) + (this.#session?.sizes.trades ?? 0),
      inFlight: () => this.#session?.sizes.inFlight ?? 0,
      chores: () => this.#session?.sizes.chores ?? 0,
      surplus: () => this.#session?.surplus ?? null,
    });
    this.#sender = new KeeperSender({
      ...options,
      timers: this.#timers,
      onCost: (lamports) => this.#metrics.gasLamports.add({}, Number(lamports)),
    });
  }

  /** The work of this keeper; null while it does not lead. */
  get session(): KeeperSession | null {
    return this.#session;
  }

  /** Begins to work. Resolves after the first round. Until then no other round begins, which would open the exchange a second time. */
  start(): Promise<void> {
    const work = () => {
      this.#running = this.#round().catch((error: unknown) => this.#noteError(error));
      return this.#running;
    };
    const { first, stop } = repeatFromNow(PREDICTION_ROUND_MS, work, this.#timers, (error) =>
      this.#noteError(error),
    );
    this.#stop = stop;
    return first;
  }

  /** Returns why orders are not filled now; null when they are, or another keeper leads. */
  unhealthy(): string | null {
    const { chain, unread, wallet } = this.#options;
    const waits = this.#failure ?? this.#session?.books.fault ?? chain.unhealthy();
    if (waits !== null || !this.#lead.isHeld) return waits;
    if (this.#session === null) return unread() ?? 'it is opening the exchange';
    return wallet.isEmpty() ? 'the wallet of the keeper of prediction markets is empty' : null;
  }

  /** Begins nothing more. Resolves when no transaction is on its way. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    this.#stop();
    await this.#running;
    await this.#session?.drain();
    await this.#release();
  }

  /** Ends everything. How a transaction ends that was sent is left to the chain, and to whoever replays the journal. */
  async close(): Promise<void> {
    this.#isDraining = true;
    this.#stop();
    const { timers } = this.#options;
    await waitWithin(this.#running, MAX_LAST_WORK_MS, timers);
    this.#timers.stop();
    await waitWithin(this.#endSession(), MAX_LAST_WORK_MS, timers);
    await this.#release();
  }

  async #release(): Promise<void> {
    await this.#lead
      .release()
      .catch((error: unknown) => this.#options.onDefect('a lease is not released', error));
  }

  async #round(): Promise<void> {
    await this.#lead.renew();
    if (this.#lead.isHeld) {
      if (this.#session === null && this.#mayBegin()) await this.#beginSession();
      this.#session?.round();
    } else await this.#endSession();
    this.#options.outage.onAnswer();
    this.#failure = null;
  }

  /** What is not read yet would be taken for what is gone. */
  #mayBegin(): boolean {
    const { chain, unread } = this.#options;
    return chain.unhealthy() === null && unread() === null;
  }

  async #beginSession(): Promise<void> {
    const { chain, store, accounts, events, wallet, cosigner, orderLifetimeSeconds } = this.#options;
    const books = await openExchangeBooks({
      store,
      network: chain.genesisHash,
      timers: this.#timers,
      onError: (error) => this.#noteError(error),
    });
    if (this.#isDraining) {
      await books.close();
      return;
    }
    const session: KeeperSession = new KeeperSession({
      chain,
      books,
      accounts,
      events,
      sender: this.#sender,
      signers: { keeper: wallet.keypair.address, cosigner: cosigner.address },
      timers: this.#timers,
      metrics: this.#metrics,
      orderLifetime: orderLifetimeSeconds,
      mayGoOn: () => !this.#isDraining && this.#lead.isHeld && this.#session === session,
      onError: (error) => this.#noteSessionError(session, error),
      onUncovered: (marketId) => this.#noteUncovered(marketId),
    });
    this.#session = session;
    this.#onSession(session);
    await session.start();
  }

  async #endSession(): Promise<void> {
    const session = this.#session;
    if (session === null) return;
    this.#session = null;
    session.stop();
    this.#onSession(null);
    await session.books.close();
  }

  #noteSessionError(session: KeeperSession, error: unknown): void {
    if (this.#session === session) this.#noteError(error);
  }

  /** What is cut short at the end is no outage. */
  #noteError(error: unknown): void {
    if (this.#isDraining) return;
    if (error instanceof ExchangeDeposed) {
      // Another keeper has taken the exchange over. If this one leads all the same, its next round opens it again.
      void this.#endSession();
      return;
    }
    this.#failure = 'the network, the database or the server of leases does not answer';
    this.#options.outage.onFailure(error);
  }

  #noteUncovered(marketId: string): void {
    if (this.#uncovered.has(marketId)) return;
    this.#uncovered.add(marketId);
    const error = new Error(`the vault does not cover what the house may lose on ${marketId}`);
    this.#options.onDefect('a market is not traded', error);
  }
}
