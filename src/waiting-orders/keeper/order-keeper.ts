import type { LandedTransaction } from '../../chain/landed-transactions.ts';
import { chooseFraction } from '../../common/choose-fraction.ts';
import type { Metrics } from '../../common/ports/metrics.ts';
import { repeatFromNow, repeatWithPauses, type Timers, waitWithin } from '../../common/ports/timers.ts';
import type { Address } from '../../solana/address.ts';
import { LEASE_MS } from '../machine.ts';
import type { TriggerIndex } from '../triggers/trigger-index.ts';
import type { WaitingOrder } from '../waiting-order.ts';
import { type BeginContext, beginFill, type FillStart } from './begin-fill.ts';
import { type FinishContext, finishFill } from './finish-fill.ts';
import { createKeeperMetrics, isRoundFilled, type KeeperMetrics } from './keeper-metrics.ts';
import { type FindHeldPrice, OpenOrders, type TriggeredOrder } from './open-orders.ts';
import { OrderFollower } from './order-follower.ts';
import { OrderRecovery, type RecoveryContext } from './order-recovery.ts';
import { StoppableTimers } from './stoppable-timers.ts';
import { WalletPlaces } from './wallet-places.ts';
import { AlternatingTurns } from './wallet-turns.ts';
import { WatermarkMover, type WatermarkMoverOptions } from './watermark-mover.ts';

/** How often the keeper asks the store for what other instances have changed, and for what is due. */
export const ROUND_MS = 500;
/** Fills that are planned, signed and recorded at a time. */
const MAX_WORKED = 16;
/** Fills that are recorded and wait for the chain. Further ones are not begun. */
const MAX_IN_FLIGHT = 1_000;
/** How many of them may be rounds, so that thousands that are due leave places for orders whose price is reached. */
const MAX_ROUNDS_IN_FLIGHT = 500;
/** Orders that are read at once. */
const READ_AT_ONCE = 64;
/**
 * Orders that are read and take turns. Only among those do wallets take turns, so there is place for more than one wallet may have
 * waiting by default: the prices of its orders may all come before that of another wallet.
 */
const MAX_TAKING_TURNS = 4_096;
/** Rounds that are read and take turns. A wallet has few recurring orders, and those that have been due for longest are read first. */
const MAX_ROUNDS_TAKING_TURNS = 64;
/** How long it takes at most to record what is being recorded. */
const MAX_LAST_WORK_MS = 10_000;
/** How often watermarks are moved. */
const MOVE_EVERY_MS = 3_000;
/** An order that could not be worked on is tried again after this time. */
const RETRY_MS = 2_000;

export interface OrderKeeperOptions
  extends Pick<BeginContext, 'holder' | 'fills' | 'findPrices' | 'earn'>,
    Pick<FinishContext, 'chain' | 'describeFailure' | 'readFill'>,
    Partial<Pick<FinishContext, 'random'>>,
    Pick<RecoveryContext, 'settle'>,
    Partial<Pick<WatermarkMoverOptions, 'findWatermark'>> {
  readonly orders: FinishContext['orders'];
  /** Nobody else changes it. */
  readonly index: TriggerIndex;
  readonly findHeldPrice: FindHeldPrice;
  readonly timers: Timers;
  readonly metrics: Metrics;
  /** Fills that are recorded and wait for the chain at a time. Default: 1,000. */
  readonly maxInFlight?: number;
  /** Called when the store or the chain does not answer, and when they do. */
  readonly outage: { readonly onFailure: (error: unknown) => void; readonly onAnswer: () => void };
  readonly onDefect: (where: string, error: unknown) => void;
}

/** An order that has been read, and waits for a turn of its wallet. */
interface ReadOrder extends TriggeredOrder {
  readonly order: WaitingOrder;
}

/**
 * Fills orders whose price is reached, and finishes what any keeper has left unfinished. Several keepers may work on one
 * store: see `beginFill` and `finishFill`.
 */
export class OrderKeeper {
  readonly #options: OrderKeeperOptions;
  readonly #timers: StoppableTimers;
  readonly #open: OpenOrders;
  readonly #turns = new AlternatingTurns<ReadOrder>();
  readonly #metrics: KeeperMetrics;
  readonly #context: BeginContext & FinishContext;
  readonly #follower: OrderFollower;
  readonly #recovery: OrderRecovery;
  readonly #mover: WatermarkMover;
  readonly #working = new Set<Promise<void>>();
  readonly #inFlight = new Map<string, Promise<void>>();
  /** Fills that do not land cost their owner nothing, and wait for a minute, so that one wallet could take all places for them. */
  readonly #places: WalletPlaces;
  readonly #maxInFlight: number;
  /** Rounds among the fills that wait for the chain. */
  #roundsInFlight = 0;
  #running = Promise.resolve();
  #isReading = false;
  #isDraining = false;
  #failure: string | null = 'it is reading the open orders';
  readonly #stops: (() => void)[] = [];

  constructor(options: OrderKeeperOptions) {
    const { orders, index, findHeldPrice, holder, metrics, onDefect } = options;
    this.#options = options;
    this.#timers = new StoppableTimers(options.timers);
    this.#maxInFlight = options.maxInFlight ?? MAX_IN_FLIGHT;
    this.#places = new WalletPlaces(this.#maxInFlight);
    this.#open = new OpenOrders(index, findHeldPrice, holder);
    this.#metrics = createKeeperMetrics(metrics, {
      open: () => this.#open.size,
      queued: () => this.#turns.size,
      inFlight: () => this.#inFlight.size,
      waiting: () => this.#open.countByReason(),
    });
    this.#context = {
      random: chooseFraction,
      ...options,
      timers: this.#timers,
      isClosed: () => this.#timers.isStopped,
      onOutage: (error) => this.#noteOutage(error),
      onDefect,
    };
    this.#follower = new OrderFollower({
      orders,
      timers: this.#timers,
      onOrder: (order) => this.noteChange(order),
    });
    this.#recovery = new OrderRecovery({
      ...this.#context,
      settle: options.settle,
      metrics: this.#metrics,
      isInFlight: (id) => this.#inFlight.has(id),
      onOrder: (order) => this.noteChange(order),
    });
    this.#mover = new WatermarkMover({
      orders,
      findWatermark: options.findWatermark ?? (() => null),
      trailed: () => this.#open.trailed,
      onMoved: (order) => this.noteChange(order),
      isClosed: () => this.#isDraining,
    });
  }

  /** Begins to work. Resolves when the open orders are read, or the store has not answered. Until then no second round begins. */
  start(): Promise<void> {
    const work = () => {
      this.#running = this.#round().catch((error: unknown) => {
        this.#noteOutage(error);
        this.#failure = 'the database does not answer';
      });
      return this.#running;
    };
    const onError = (error: unknown) => this.#noteOutage(error);
    const move = () => this.#mover.move();
    this.#stops.push(repeatWithPauses(MOVE_EVERY_MS, move, this.#timers, onError));
    const { first, stop } = repeatFromNow(ROUND_MS, work, this.#timers, onError);
    this.#stops.push(stop);
    return first;
  }

  /** Call it when an order was created or changed in this process, so that the keeper need not find out. */
  noteChange(order: WaitingOrder): void {
    this.#open.place(order, this.#follower.now());
    this.#begin();
  }

  /** Call it when the price of a token has come, or has held for long enough. */
  notePrice(mint: Address): void {
    this.#open.noteReached(mint, this.#timers.now());
    this.#begin();
  }

  /** Returns why orders are not filled now, for `/readyz`; null when they are. */
  unhealthy(): string | null {
    return this.#failure ?? this.#options.chain.unhealthy();
  }

  /** Begins nothing more. Resolves when no fill is on its way. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    this.#stopRepeating();
    await Promise.all(this.#working);
    await Promise.all(this.#inFlight.values());
  }

  /**
   * Ends everything, once no fill is half recorded. What is recorded and not finished is left to other keepers, and to the next
   * start.
   */
  async close(): Promise<void> {
    this.#isDraining = true;
    this.#stopRepeating();
    const last = Promise.all([this.#running, ...this.#working]);
    await waitWithin(last, MAX_LAST_WORK_MS, this.#options.timers);
    this.#timers.stop();
  }

  #stopRepeating(): void {
    for (const stop of this.#stops.splice(0)) stop();
  }

  async #round(): Promise<void> {
    await this.#follower.follow();
    this.#open.wake(this.#follower.now());
    this.#begin();
    if (this.#options.chain.unhealthy() === null) await this.#recovery.recover();
    this.#options.outage.onAnswer();
    this.#failure = null;
  }

  /** What is cut short at the end is no outage. */
  #noteOutage(error: unknown): void {
    if (!this.#isDraining) this.#options.outage.onFailure(error);
  }

  /** Begins as many attempts as there are places, and reads further orders, which take turns with those that were read. */
  #begin(): void {
    if (this.#isDraining || this.#options.chain.unhealthy() !== null) return;
    while (this.#working.size < MAX_WORKED && this.#inFlight.size < this.#maxInFlight) {
      const mayBegin = (wallet: string) => this.#places.mayTake(wallet);
      const next = this.#turns.next(this.#roundsInFlight < MAX_ROUNDS_IN_FLIGHT, mayBegin);
      if (next === undefined) break;
      const { wallet } = next.order;
      this.#places.take(wallet);
      const work = this.#work(next).finally(() => {
        this.#working.delete(work);
        this.#places.giveBack(wallet);
        this.#begin();
      });
      this.#working.add(work);
    }
    if (!this.#isReading) void this.#read();
  }

  async #read(): Promise<void> {
    const taken = this.#take();
    if (taken.length === 0) return;
    const { orders } = this.#options;
    this.#metrics.triggered.add({}, taken.filter(({ since }) => since !== null).length);
    this.#isReading = true;
    try {
      const read = await Promise.all(taken.map(({ id }) => orders.get(id)));
      for (const [index, one] of taken.entries()) {
        const order = read[index] ?? null;
        if (order === null) this.#open.release(one.id, null, this.#follower.now());
        else this.#turns[one.isRound ? 'rounds' : 'prices'].add(order.wallet, { ...one, order });
      }
    } catch (error) {
      this.#noteOutage(error);
      for (const { id } of taken) this.#open.postpone(id, this.#follower.now() + RETRY_MS);
    } finally {
      this.#isReading = false;
    }
    this.#begin();
  }

  /** Takes orders for which there is place among those that take turns. */
  #take(): readonly TriggeredOrder[] {
    const { prices, rounds } = this.#turns;
    const now = this.#follower.now();
    const place = (max: number, size: number) => Math.min(READ_AT_ONCE, Math.max(0, max - size));
    return [
      ...this.#open.take(place(MAX_TAKING_TURNS, prices.size), now),
      ...this.#open.takeRounds(place(MAX_ROUNDS_TAKING_TURNS, rounds.size), now),
    ];
  }

  async #work(read: ReadOrder): Promise<void> {
    const { id, order } = read;
    try {
      const attempt = await beginFill(this.#context, order, this.#open.timesPutOff(id));
      await this.#follow(attempt, read);
    } catch (error) {
      this.#noteOutage(error);
      this.#open.postpone(id, this.#follower.now() + RETRY_MS);
    }
  }

  async #follow(attempt: FillStart, { id, since, isRound }: ReadOrder): Promise<void> {
    const now = this.#follower.now();
    switch (attempt.kind) {
      case 'recorded': {
        if (since !== null) this.#metrics.lag.observe((this.#timers.now() - since) / 1_000);
        if (isRound) this.#roundsInFlight++;
        this.#places.take(attempt.order.wallet);
        const finishing = this.#finish(attempt).finally(() => {
          this.#inFlight.delete(id);
          this.#places.giveBack(attempt.order.wallet);
          if (isRound) this.#roundsInFlight--;
          this.#begin();
        });
        this.#inFlight.set(id, finishing);
        return;
      }
      case 'kept':
        if (attempt.order.state === 'expired') this.#metrics.expired.add();
        this.#open.release(id, attempt.order, now);
        return;
      case 'missed':
        this.#metrics.roundsMissed.add({ reason: attempt.reason });
        this.#open.release(id, attempt.order, now);
        return;
      case 'waits':
        this.#open.release(id, { ...attempt.order, retryAt: attempt.until }, now);
        return;
      case 'lost':
        this.#metrics.leasesLost.add();
        this.#open.release(id, await this.#options.orders.get(id), now);
        return;
      case 'unknown':
        // If it is recorded, whoever takes over the lease finds it.
        this.#open.postpone(id, now + LEASE_MS);
        return;
    }
  }

  async #finish({ order, transaction, charge }: Extract<FillStart, { kind: 'recorded' }>): Promise<void> {
    const { fills, onDefect } = this.#options;
    const finished = await finishFill(this.#context, order, transaction).catch((error: unknown) => {
      onDefect('a fill could not be finished', error);
      return null;
    });
    const now = this.#follower.now();
    if (finished === null) {
      this.#open.postpone(order.id, now + LEASE_MS);
      return;
    }
    const { outcome, landed, order: newest } = finished;
    const cost = computeCost(outcome, landed);
    if (cost !== null) {
      if (cost < charge.lamports) fills.giveBack(charge, charge.lamports - cost);
      this.#metrics.gasLamports.add({}, Number(cost));
    }
    this.#metrics.fills.add({ outcome });
    if (outcome === 'success' && isRoundFilled(order, newest)) this.#metrics.roundsFilled.add();
    this.#open.release(order.id, newest, now);
  }
}

/** Returns what a fill cost its payer, in lamports and at least 0; null if that is not known. */
export function computeCost(outcome: string, landed: LandedTransaction | null): bigint | null {
  if (outcome === 'expired') return 0n;
  if (landed === null) return null;
  const cost = (landed.preBalances[0] ?? 0n) - (landed.postBalances[0] ?? 0n);
  return cost > 0n ? cost : 0n;
}
