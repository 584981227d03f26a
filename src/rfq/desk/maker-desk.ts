import type { ReservedInventory } from '../books/reservations.ts';
import type { ClusterMakers, MakerView } from '../cluster/cluster-makers.ts';
import type { BookListing } from '../cluster/shared-books.ts';
import type { BookLiquidity } from '../liquidity/book-liquidity.ts';
import type { BreakerPolicy, MakerStatus } from '../makers/maker-state.ts';
import { findNoBookReason, findNoOrdersReason } from '../no-orders.ts';
import { WEBHOOK_CONDUCT } from '../webhooks/conduct.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import { type BreakerView, computeBreakerView, computeWebhookBreakerView } from './breaker-view.ts';
import { type MakerLadders, listBookLadders } from './maker-ladders.ts';

/** A change of a maker's status. */
export interface MakerStatusChange {
  /** Unix milliseconds. */
  readonly at: number;
  readonly from: MakerStatus;
  readonly to: MakerStatus;
  /** Why it changed, as a sentence without a full stop. */
  readonly cause: string;
}

export interface MakerDeskOptions {
  readonly clusterMakers: Pick<ClusterMakers, 'get'>;
  /** The order books of all instances. */
  readonly books: BookListing;
  /** The reserved inventory at all instances. */
  readonly reserved: ReservedInventory;
  readonly liquidity: Pick<BookLiquidity, 'findObstacle'>;
  readonly webhooks: Pick<Webhooks, 'find'>;
  readonly breaker: BreakerPolicy;
  /**
   * Reads the newest changes of a maker's status.
   * @param since - Unix milliseconds: an earlier maker may have had the same id.
   */
  readonly readChanges: (
    makerId: string,
    since: number,
    most: number,
  ) => Promise<readonly MakerStatusChange[]>;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** Where a maker stands: whether it may trade, how far it is from its suspension, and how it came there. */
export interface MakerStanding {
  readonly view: MakerView;
  /** Why it gets no orders now, as a sentence without a full stop; null if it can get some. */
  readonly noOrders: string | null;
  readonly breaker: BreakerView;
  /** Null without a webhook. */
  readonly webhookBreaker: BreakerView | null;
  /** Unix milliseconds; null if the webhook is asked, or if there is none. */
  readonly webhookSuspendedUntil: number | null;
  /** Newest first. */
  readonly changes: readonly MakerStatusChange[];
}

/** The books of a maker, and why none of them is used. */
export interface MakerBooksView extends MakerLadders {
  /** Unix milliseconds of the answer, by the clock that the times of the books are of. */
  readonly at: number;
  /** Why no book of the maker is used now, as a sentence without a full stop; null if one is. */
  readonly notUsed: string | null;
  /** Why its last snapshot or book is not in the market, as a sentence; null if it is. */
  readonly lastProblem: string | null;
}

/** The most books of one maker that are shown at once. */
export const MAX_SHOWN_BOOKS = 200;
/** The most changes of a maker's status that are shown. */
export const MAX_SHOWN_CHANGES = 50;

/** What is known of one maker beside its record and its statistics: for the operator, and of itself for the maker. */
export class MakerDesk {
  readonly #options: MakerDeskOptions;

  constructor(options: MakerDeskOptions) {
    this.#options = options;
  }

  /** The rules by which makers are suspended. */
  get policy() {
    return { streams: this.#options.breaker, webhooks: WEBHOOK_CONDUCT };
  }

  /** Returns why no book of any maker is used now, as a sentence without a full stop; null if they are. */
  findBookObstacle(): string | null {
    return this.#options.liquidity.findObstacle();
  }

  /** Returns where a maker stands; null if there is no such maker. */
  async findStanding(makerId: string): Promise<MakerStanding | null> {
    const { clusterMakers, books, liquidity, webhooks, breaker, readChanges, now } = this.#options;
    const view = await clusterMakers.get(makerId);
    if (view === null) return null;
    const webhook = webhooks.find(makerId);
    const { record, state } = view.maker;
    const hasBook = hasAny(books.listedOf(makerId, now()));
    return {
      view,
      noOrders: findNoOrdersReason(view, { webhook, hasBook, bookObstacle: liquidity.findObstacle() }),
      breaker: computeBreakerView(state, breaker, now()),
      webhookBreaker:
        webhook === null ? null : computeWebhookBreakerView(webhook.state, WEBHOOK_CONDUCT, now()),
      webhookSuspendedUntil: webhook?.status === 'suspended' ? webhook.state.suspendedUntil : null,
      changes: await readChanges(makerId, record.createdAt, MAX_SHOWN_CHANGES),
    };
  }

  /** Returns the live books of a maker; null if there is no such maker. */
  async findBooks(makerId: string): Promise<MakerBooksView | null> {
    const { clusterMakers, books, reserved, liquidity, now } = this.#options;
    const view = await clusterMakers.get(makerId);
    if (view === null) return null;
    const at = now();
    const obstacle = liquidity.findObstacle();
    const listed = listBookLadders(
      books,
      reserved,
      { id: makerId, now: at },
      { most: MAX_SHOWN_BOOKS, obstacle },
    );
    return {
      ...listed,
      at,
      notUsed: findNoBookReason(view, listed.total > 0) ?? obstacle,
      lastProblem: view.maker.quoteProblem,
    };
  }
}

function hasAny(items: Iterable<unknown>): boolean {
  for (const _ of items) return true;
  return false;
}
