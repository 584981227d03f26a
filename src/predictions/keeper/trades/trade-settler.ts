import type { ExchangeBooks } from '../../../exchange/running/exchange-books.ts';
import type { ExchangeCommand, ExchangeOutcome, ExchangeTrade } from '../../../exchange/exchange-order.ts';
import type { Timers } from '../../../common/ports/timers.ts';
import type { PredictionFillSigners } from '../../../protocols/jupiter-prediction/instructions/prediction-fill-instructions.ts';
import type { Address } from '../../../solana/address.ts';
import { WalletPlaces } from '../../../waiting-orders/keeper/wallet-places.ts';
import type { PredictionAccounts } from '../../prediction.ts';
import { computeRetryDelay } from '../sending/keeper-delays.ts';
import type { KeeperSender, WorkOutcome } from '../sending/keeper-sender.ts';
import { computeBelieved, type FillReader, findTradeVerdict } from './trade-judge.ts';
import { isTradingPaused } from './trade-refusals.ts';
import {
  type BelievedOrder,
  composeTrades,
  isWithinTransactionSize,
  listSides,
  type TradeWork,
} from './trade-work.ts';

/** Transactions that are sent and wait for the chain. Further ones are not begun. */
const MAX_IN_FLIGHT = 64;
/** The most trades in one transaction. No more than three orders fit, but an order may have many trades. */
const MAX_TOGETHER = 16;
/** After so many refusals that name no order, the order that came later is taken for the cause. */
const MAX_UNEXPLAINED = 5;

export interface TradeSettlerOptions {
  readonly books: ExchangeBooks;
  readonly accounts: Pick<PredictionAccounts, 'findOrder'>;
  readonly reader: FillReader;
  readonly sender: Pick<KeeperSender, 'run'>;
  readonly signers: PredictionFillSigners;
  readonly timers: Timers;
  /** Whether this keeper still leads and is not ending. */
  readonly mayGoOn: () => boolean;
  /** Called with what follows from a trade that is confirmed or reverted: the trades among it too are to be settled. */
  readonly onMatched: (outcome: ExchangeOutcome) => void;
  /** Called when an order is filled otherwise than the exchange believes, because somebody else has filled it. */
  readonly onStale: (order: Address, marketId: string) => void;
  /** Called with how a transaction of trades ended. */
  readonly onOutcome: (outcome: 'success' | 'refused' | 'gas' | 'unknown' | 'not-landed') => void;
  /** Called with what the books, the store or the chain throw. */
  readonly onError: (error: unknown) => void;
}

interface QueuedTrade {
  readonly trade: ExchangeTrade;
  /** Whether it is settled in a transaction of its own, so that it is seen which trade is at fault. */
  readonly isAlone: boolean;
  /** Whether it may have landed already. */
  readonly isUnsure: boolean;
  readonly attempts: number;
  /** Local milliseconds before which it is not tried again. */
  readonly notBefore: number;
}

/**
 * Settles trades on the chain: the fills of a trade land in one transaction, which fails if one of its orders is not filled as
 * far as the exchange believes. So whatever is sent twice or by two keepers, a trade lands at most once.
 */
export class TradeSettler {
  readonly #options: TradeSettlerOptions;
  readonly #places = new WalletPlaces(MAX_IN_FLIGHT);
  readonly #busy = new Set<Address>();
  readonly #flights = new Set<Promise<void>>();
  #queue: readonly QueuedTrade[] = [];

  constructor(options: TradeSettlerOptions) {
    this.#options = options;
  }

  /** How many trades wait for a transaction. */
  get queued(): number {
    return this.#queue.length;
  }

  /** How many transactions are on their way. */
  get inFlight(): number {
    return this.#flights.size;
  }

  /** @param isUnsure - Whether the trades are from before a restart, so that they may have landed. */
  add(trades: readonly ExchangeTrade[], isUnsure = false): void {
    if (trades.length === 0) return;
    const added = trades.map((trade) => ({ trade, isAlone: false, isUnsure, attempts: 0, notBefore: 0 }));
    this.#queue = [...this.#queue, ...added];
    this.pump();
  }

  /** Begins what can be begun. Call it also when time has passed. */
  pump(): void {
    const { mayGoOn, timers } = this.#options;
    if (!mayGoOn() || this.#queue.length === 0) return;
    const now = timers.now();
    // A trade waits for those before it that fill one of its orders.
    const blocked = new Set(this.#busy);
    const left: QueuedTrade[] = [];
    const begun: QueuedTrade[][] = [];
    for (const queued of this.#queue) {
      const orders = listSides(queued.trade).map(({ order }) => order);
      if (orders.some((order) => blocked.has(order))) {
        const joined = this.#join(begun, queued, blocked, left);
        if (!joined) {
          for (const order of orders) blocked.add(order);
          left.push(queued);
        }
        continue;
      }
      const { owner } = queued.trade.taker;
      const isFree = this.#flights.size + begun.length < MAX_IN_FLIGHT && this.#places.mayTake(owner);
      for (const order of orders) blocked.add(order);
      if (!isFree || queued.notBefore > now) {
        left.push(queued);
        continue;
      }
      this.#places.take(owner);
      begun.push([queued]);
    }
    this.#queue = left;
    for (const batch of begun) this.#begin(batch);
  }

  /** Resolves when no transaction is on its way. */
  async drain(): Promise<void> {
    while (this.#flights.size > 0) await Promise.all(this.#flights);
  }

  /** Adds a trade to a transaction with its orders, if nothing that waits has one of them and it fits. */
  #join(
    begun: readonly QueuedTrade[][],
    queued: QueuedTrade,
    blocked: Set<Address>,
    left: readonly QueuedTrade[],
  ): boolean {
    if (queued.isAlone || queued.isUnsure) return false;
    const orders = listSides(queued.trade).map(({ order }) => order);
    const isWaitedFor = (order: Address) =>
      this.#busy.has(order) ||
      left.some(({ trade }) => listSides(trade).some((side) => side.order === order));
    if (orders.some(isWaitedFor)) return false;
    const sharing = begun.filter((batch) =>
      batch.some(({ trade }) => listSides(trade).some(({ order }) => orders.includes(order))),
    );
    const [batch] = sharing;
    if (batch === undefined || sharing.length > 1 || batch.length >= MAX_TOGETHER) return false;
    if (batch.some(({ isAlone, isUnsure }) => isAlone || isUnsure)) return false;
    const work = this.#compose([...batch, queued]);
    if (work === null || !isWithinTransactionSize(this.#options.signers.keeper, work.instructions))
      return false;
    batch.push(queued);
    for (const order of orders) blocked.add(order);
    return true;
  }

  #begin(batch: readonly QueuedTrade[]): void {
    const orders = new Set(batch.flatMap(({ trade }) => listSides(trade).map(({ order }) => order)));
    const owner = batch[0]?.trade.taker.owner;
    for (const order of orders) this.#busy.add(order);
    const flight = this.#settle(batch)
      .catch((error: unknown) => {
        this.#options.onError(error);
        this.#putBack(batch, { isUnsure: true, isDelayed: true });
      })
      .finally(() => {
        this.#flights.delete(flight);
        for (const order of orders) this.#busy.delete(order);
        if (owner !== undefined) this.#places.giveBack(owner);
        this.pump();
      });
    this.#flights.add(flight);
  }

  async #settle(batch: readonly QueuedTrade[]): Promise<void> {
    const { sender, mayGoOn, onOutcome } = this.#options;
    const [first] = batch;
    if (first === undefined) return;
    const work = first.isUnsure ? null : this.#compose(batch);
    if (work === null) {
      for (const queued of batch) await this.#judge(queued);
      return;
    }
    const { owner } = first.trade.taker;
    const outcome = await sender.run(
      { instructions: work.instructions, wallet: owner, rent: 0n, isGift: false },
      mayGoOn,
    );
    onOutcome(outcome.kind === 'done' ? 'success' : outcome.kind);
    if (outcome.kind === 'done') {
      for (const { trade } of batch) await this.#tell({ kind: 'confirm', trade: trade.number });
    } else await this.#handleFailure(batch, work, outcome);
  }

  async #handleFailure(
    batch: readonly QueuedTrade[],
    { steps }: TradeWork,
    outcome: Exclude<WorkOutcome, { kind: 'done' }>,
  ): Promise<void> {
    switch (outcome.kind) {
      case 'unknown':
      case 'not-landed':
        this.#putBack(batch, { isUnsure: true, isDelayed: outcome.kind === 'unknown' });
        return;
      case 'gas':
        // The wallet of the first taker pays for all. What others trade is settled without it.
        if (!outcome.isWallet) this.#putBack(batch, { isDelayed: true });
        else if (batch.length > 1) this.#putBack(batch, { isAlone: true });
        else await this.#blameTaker(batch);
        return;
      case 'refused': {
        const step = outcome.at === null ? undefined : steps[outcome.at];
        if (isTradingPaused(outcome.failure)) this.#putBack(batch, { isDelayed: true });
        else if (batch.length > 1) this.#putBack(batch, { isAlone: true });
        else if (step?.kind === 'fill') await this.#revert(batch, step.order);
        else if (step?.kind === 'guard') await this.#judgeAll(batch);
        else if ((batch[0]?.attempts ?? 0) >= MAX_UNEXPLAINED) await this.#blameTaker(batch);
        else this.#putBack(batch, { isUnsure: true, isDelayed: true });
      }
    }
  }

  async #judgeAll(batch: readonly QueuedTrade[]): Promise<void> {
    for (const queued of batch) await this.#judge(queued);
  }

  /** Asks the chain whether a trade has landed. */
  async #judge(queued: QueuedTrade): Promise<void> {
    const { books, reader, onStale } = this.#options;
    const { trade } = queued;
    const verdict = await findTradeVerdict(books, reader, trade);
    if (verdict.kind === 'landed') await this.#tell({ kind: 'confirm', trade: trade.number });
    else if (verdict.kind === 'open') this.#putBack([{ ...queued, isUnsure: false }], { isDelayed: false });
    else {
      onStale(verdict.order, trade.marketId);
      await this.#revert([queued], verdict.order);
    }
  }

  async #blameTaker(batch: readonly QueuedTrade[]): Promise<void> {
    for (const queued of batch) await this.#revert([queued], queued.trade.taker.order);
  }

  async #revert(batch: readonly QueuedTrade[], faulty: Address): Promise<void> {
    for (const { trade } of batch) await this.#tell({ kind: 'revert', trade: trade.number, faulty });
  }

  async #tell(command: ExchangeCommand): Promise<void> {
    this.#options.onMatched(await this.#options.books.send(command));
  }

  #putBack(
    batch: readonly QueuedTrade[],
    {
      isAlone = false,
      isUnsure = false,
      isDelayed = false,
    }: { readonly isAlone?: boolean; readonly isUnsure?: boolean; readonly isDelayed?: boolean },
  ): void {
    const now = this.#options.timers.now();
    const again = batch
      // What was confirmed or reverted meanwhile is over.
      .filter(({ trade }) => this.#options.books.findTrade(trade.number) !== null)
      .map((queued) => ({
        trade: queued.trade,
        isAlone: queued.isAlone || isAlone || isUnsure,
        isUnsure: queued.isUnsure || isUnsure,
        attempts: isDelayed ? queued.attempts + 1 : queued.attempts,
        notBefore: isDelayed ? now + computeRetryDelay(queued.attempts) : now,
      }));
    // They come before all later trades with the same orders.
    this.#queue = [...again, ...this.#queue];
  }

  /** Returns null if an order is not on the chain any more. */
  #compose(batch: readonly QueuedTrade[]): TradeWork | null {
    const { accounts, books, signers } = this.#options;
    const trades = batch.map(({ trade }) => trade);
    const orders = new Map<Address, BelievedOrder>();
    for (const { order: address } of trades.flatMap(listSides)) {
      const order = accounts.findOrder(address);
      const known = books.findOrder(address);
      if (order === null || known === null) return null;
      orders.set(address, { order, filled: computeBelieved(order.contracts, known) });
    }
    return composeTrades(trades, orders, signers);
  }
}
