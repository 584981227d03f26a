import type { Chain } from '../../chain/chain.ts';
import type { Timers } from '../../common/ports/timers.ts';
import type { ExchangeBooks } from '../../exchange/running/exchange-books.ts';
import type { ExchangeOutcome } from '../../exchange/exchange-order.ts';
import type { PredictionFillSigners } from '../../protocols/jupiter-prediction/instructions/prediction-fill-instructions.ts';
import type { PredictionAccounts, PredictionEvents } from '../prediction.ts';
import { KeeperChores } from './chores/keeper-chores.ts';
import type { KeeperSender } from './sending/keeper-sender.ts';
import { MarketMinder } from './markets/market-minder.ts';
import { createOrderEnding } from './chores/order-endings.ts';
import { OrderIntake } from './orders/order-intake.ts';
import { OrderReviewer } from './orders/order-reviewer.ts';
import type { PredictionKeeperMetrics } from './prediction-keeper-metrics.ts';
import { createFillReader } from './trades/trade-judge.ts';
import { TradeSettler } from './trades/trade-settler.ts';
import { readVault } from './markets/vault-cover.ts';

/** All orders and markets are looked at in each of so many rounds. In between, what changes is. */
const ROUNDS_PER_LOOK = 4;

export interface KeeperSessionOptions {
  readonly chain: Chain;
  readonly books: ExchangeBooks;
  readonly accounts: PredictionAccounts;
  readonly events: PredictionEvents;
  readonly sender: KeeperSender;
  readonly signers: PredictionFillSigners;
  readonly timers: Timers;
  readonly metrics: PredictionKeeperMetrics;
  /** How long an order may wait, in seconds. */
  readonly orderLifetime: bigint;
  /** Whether this keeper still leads and is not ending. */
  readonly mayGoOn: () => boolean;
  readonly onError: (error: unknown) => void;
  readonly onUncovered: (marketId: string) => void;
}

/** The work of a keeper for as long as it leads. */
export class KeeperSession {
  readonly books: ExchangeBooks;
  readonly #options: KeeperSessionOptions;
  readonly #settler: TradeSettler;
  readonly #chores: KeeperChores;
  readonly #intake: OrderIntake;
  readonly #reviewer: OrderReviewer;
  readonly #minder: MarketMinder;
  readonly #stops: (() => void)[] = [];
  #rounds = 0;
  #surplus: bigint | null = null;
  #isLooking = false;
  #isLookWanted = false;

  constructor(options: KeeperSessionOptions) {
    const { chain, books, accounts, sender, signers, timers, metrics, onError } = options;
    this.#options = options;
    this.books = books;
    const mayGoOn = () => options.mayGoOn() && chain.unhealthy() === null;
    const onOutcome = (outcome: ExchangeOutcome) => this.#handleOutcome(outcome);
    const dependencies = { ...options, mayGoOn, onOutcome };
    this.#settler = new TradeSettler({
      ...dependencies,
      reader: createFillReader(chain),
      onMatched: onOutcome,
      onStale: () => metrics.staleOrders.add(),
      onOutcome: (outcome) => {
        metrics.transactions.add({ task: 'fill', outcome });
        this.#intake.pump();
      },
    });
    this.#chores = new KeeperChores({
      sender,
      timers,
      mayGoOn,
      onOutcome: (task, { kind }) =>
        metrics.transactions.add({ task, outcome: kind === 'done' ? 'success' : kind }),
      onError,
    });
    this.#reviewer = new OrderReviewer({
      ...dependencies,
      onNew: (order) => this.#intake.add(order),
      onEnded: (order) =>
        this.#chores.add(createOrderEnding({ chain, accounts, keeper: signers.keeper }, order)),
    });
    this.#intake = new OrderIntake({
      ...dependencies,
      mayGoOn: () => mayGoOn() && this.#isCovered(),
      findMarket: (order) => this.#reviewer.findMarket(order),
      backlog: () => this.#settler.queued,
      onMatched: onOutcome,
    });
    this.#minder = new MarketMinder({
      ...dependencies,
      chores: this.#chores,
      keeper: signers.keeper,
      onCover: (surplus) => {
        this.#surplus = surplus;
      },
    });
  }

  /** What the vault has beyond what has to be covered, in micro USD; null before it was read. */
  get surplus(): bigint | null {
    return this.#surplus;
  }

  /** How much waits, and how much is on its way. */
  get sizes(): {
    readonly orders: number;
    readonly trades: number;
    readonly inFlight: number;
    readonly chores: number;
  } {
    return {
      orders: this.#intake.size,
      trades: this.#settler.queued,
      inFlight: this.#settler.inFlight,
      chores: this.#chores.size,
    };
  }

  /** Begins with what is unfinished, and follows what changes. */
  async start(): Promise<void> {
    const { accounts, books, events } = this.#options;
    this.#stops.push(
      accounts.onChange(({ orders }) => {
        for (const address of orders) this.#reviewer.reviewAt(address);
      }),
      events.onChange(() => this.hurry()),
    );
    this.#settler.add([...books.tradesInFlight()], true);
    await this.#look();
  }

  /** Does what is due. */
  round(): void {
    this.#settler.pump();
    this.#chores.pump();
    this.#intake.pump();
    this.#rounds++;
    if (this.#rounds % ROUNDS_PER_LOOK === 0) this.hurry();
  }

  /** Looks at all markets and orders now. */
  hurry(): void {
    this.#isLookWanted = true;
    if (!this.#isLooking) this.#look().catch(this.#options.onError);
  }

  /** Begins nothing more. Resolves when nothing is on its way. */
  async drain(): Promise<void> {
    this.stop();
    await this.#intake.drain();
    await Promise.all([this.#settler.drain(), this.#chores.drain()]);
  }

  stop(): void {
    for (const stop of this.#stops.splice(0)) stop();
  }

  /** Whether the vault has what positions and the house may cost. Orders wait until it has. */
  #isCovered(): boolean {
    return this.#surplus === null || this.#surplus >= 0n;
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      do {
        this.#isLookWanted = false;
        const vault = await readVault(this.#options.chain);
        if (vault !== null && this.#options.mayGoOn()) await this.#minder.mindAll(vault);
        if (this.#options.mayGoOn()) this.#reviewer.reviewAll();
      } while (this.#isLookWanted);
    } finally {
      this.#isLooking = false;
    }
  }

  #handleOutcome({ trades, ended }: ExchangeOutcome): void {
    this.#settler.add(trades);
    for (const { address, reason } of ended) {
      this.#options.metrics.ordersEnded.add({ reason });
      this.#reviewer.reviewAt(address);
    }
  }
}
