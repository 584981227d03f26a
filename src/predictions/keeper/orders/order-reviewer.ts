import type { Chain } from '../../../chain/chain.ts';
import { compareTexts } from '../../../common/compare-texts.ts';
import type { ExchangeBooks } from '../../../exchange/running/exchange-books.ts';
import type { ExchangeOutcome } from '../../../exchange/exchange-order.ts';
import type { Address } from '../../../solana/address.ts';
import type {
  OpenPredictionOrder,
  PredictionAccounts,
  PredictionEvents,
  PredictionMarket,
} from '../../prediction.ts';

/** How long an order waits for its market to be known and opened. Then its money goes back. In seconds of the chain. */
const MAX_UNKNOWN_SECONDS = 60n;

export interface OrderReviewerOptions {
  readonly chain: Pick<Chain, 'clock'>;
  readonly books: ExchangeBooks;
  readonly accounts: Pick<PredictionAccounts, 'findOrder' | 'openOrders'>;
  readonly events: Pick<PredictionEvents, 'findMarketByHash'>;
  /** How long an order may wait, in seconds. */
  readonly orderLifetime: bigint;
  /** Takes an order to the exchange. */
  readonly onNew: (order: OpenPredictionOrder) => void;
  /** Closes an order on the chain. */
  readonly onEnded: (order: OpenPredictionOrder) => void;
  readonly onOutcome: (outcome: ExchangeOutcome) => void;
  readonly onError: (error: unknown) => void;
}

/** Decides what is to be done about an order that is on the chain: it is matched, left in the book, or closed. */
export class OrderReviewer {
  readonly #options: OrderReviewerOptions;

  constructor(options: OrderReviewerOptions) {
    this.#options = options;
  }

  /** Looks at all orders that are on the chain, and at all that the exchange knows. */
  reviewAll(): void {
    const { accounts, books } = this.#options;
    // After the journal was lost, the exchange is filled by the chain alone. Then earlier orders come first again.
    const byAge = [...accounts.openOrders()].sort(
      (one, other) => Number(one.createdAt - other.createdAt) || compareTexts(one.address, other.address),
    );
    for (const order of byAge) this.review(order);
    for (const { order } of books.orders()) this.reviewAt(order.address);
  }

  /** Looks at the order of an address. */
  reviewAt(address: Address): void {
    const { accounts, books } = this.#options;
    const order = accounts.findOrder(address);
    if (order !== null) {
      this.review(order);
      return;
    }
    const known = books.findOrder(address);
    if (known === null || known.inFlight > 0n) return;
    this.#tell({ kind: 'forget', order: address });
  }

  review(order: OpenPredictionOrder): void {
    const { books, onEnded, onNew } = this.#options;
    const known = books.findOrder(order.address);
    if (known !== null) {
      if (known.ended !== null) onEnded(order);
      else if (this.#hasExpired(order)) this.#tell({ kind: 'end', order: order.address, reason: 'expired' });
      return;
    }
    const isPending = order.status === 'pending' || order.status === 'partially-filled';
    if (!isPending || this.#hasExpired(order) || this.#isTooLate(order)) onEnded(order);
    else if (this.findMarket(order) !== null) onNew(order);
  }

  /** Returns the market in which an order can be matched now; null if there is none. */
  findMarket({ marketIdHash }: OpenPredictionOrder): PredictionMarket | null {
    const { books, events } = this.#options;
    const market = events.findMarketByHash(marketIdHash);
    if (market === null || this.#isOver(market)) return null;
    const traded = books.findMarket(market.marketId);
    return traded === null || traded.isHalted ? null : market;
  }

  #hasExpired({ createdAt }: OpenPredictionOrder): boolean {
    return this.#now() >= createdAt + this.#options.orderLifetime;
  }

  /** Whether the market of an order is over, or has not been known and opened in time. */
  #isTooLate(order: OpenPredictionOrder): boolean {
    const market = this.#options.events.findMarketByHash(order.marketIdHash);
    if (market !== null && this.#isOver(market)) return true;
    return this.findMarket(order) === null && this.#now() >= order.createdAt + MAX_UNKNOWN_SECONDS;
  }

  #isOver({ status, closeAt }: PredictionMarket): boolean {
    return status !== 'open' || this.#now() >= BigInt(closeAt);
  }

  #now(): bigint {
    return this.#options.chain.clock().unixTimestamp;
  }

  #tell(command: Parameters<ExchangeBooks['send']>[0]): void {
    const { books, onError, onOutcome } = this.#options;
    books.send(command).then(onOutcome, onError);
  }
}
