import { ConcurrencyLimit } from '../../../common/collections/concurrency-limit.ts';
import type { Timers } from '../../../common/ports/timers.ts';
import { type Work, WorkRefused } from '../../../common/work/work.ts';
import { Unavailable } from '../../../common/unavailable.ts';
import type { Chain } from '../../../chain/chain.ts';
import type { Portfolio } from '../evaluation/evaluate.ts';
import type { Portfolios, PositionsRequest } from '../evaluation/portfolios.ts';
import { AccountChanges } from './account-changes.ts';
import {
  type PortfolioChanges,
  computeChanges,
  type KeyedElement,
  type Shown,
  computeShown,
  type TextOf,
} from './changes.ts';

/**
 * The first event has all positions of a wallet, and later events have the changes. Writing an event counts as its
 * `work`.
 */
export type PortfolioEvent = { readonly work: Work } & (
  | { readonly kind: 'positions'; readonly portfolio: Portfolio; readonly elements: readonly KeyedElement[] }
  | { readonly kind: 'changes'; readonly changes: PortfolioChanges }
);

/** What a stream follows, and how. */
export interface StreamedPositions {
  readonly request: PositionsRequest;
  readonly textOf: TextOf;
  /** Begins the work for one event: see `EndpointRequest`. */
  readonly beginWork: () => Work;
  readonly signal: AbortSignal;
}

export interface FollowOptions {
  readonly chain: Pick<Chain, 'slot' | 'watchAccounts'>;
  readonly portfolios: Pick<Portfolios, 'of'>;
  readonly timers: Pick<Timers, 'after'>;
}

/** Prices move, and others can open positions for a wallet, without a change of its accounts. */
const REFRESH_MS = 10_000;
/** Streams evaluate fewer wallets at once than requests may, so that there is always room for requests. */
const MAX_EVALUATED = 2;
const MAX_WAITING = 5_000;

/** Follows the positions of wallets. */
export class PortfolioFollower {
  readonly #options: FollowOptions;
  readonly #accounts: AccountChanges;
  readonly #turns = new ConcurrencyLimit(
    MAX_EVALUATED,
    MAX_WAITING,
    () => new Unavailable('Too many streams wait for their positions'),
  );

  constructor(options: FollowOptions) {
    this.#options = options;
    const { chain, timers } = options;
    this.#accounts = new AccountChanges({ chain, timers, refreshMs: REFRESH_MS });
  }

  /** The number of accounts that are watched for streams now. */
  get watchedAccounts(): number {
    return this.#accounts.watched;
  }

  /**
   * Yields all positions, and then the changes, for as long as the caller requests more. Changes that happen before the
   * next request are combined in one event. Each event is work of its own; changes for which there is no turn are looked at
   * again with the next ones.
   *
   * @throws Unavailable when the network does not answer
   */
  async *follow({ request, textOf, beginWork, signal }: StreamedPositions): AsyncGenerator<PortfolioEvent> {
    const { portfolios } = this.#options;
    const watch = this.#accounts.watch();
    try {
      const work = beginWork();
      const first = await portfolios.of(request, work);
      let shown = await computeShown(first, textOf, work);
      watch.follow(first.accounts);
      yield { kind: 'positions', portfolio: first, elements: [...shown.elements.values()], work };
      while (!signal.aborted) {
        await watch.next(signal);
        if (signal.aborted) return;
        const next = await this.#changesSince(shown, { request, textOf, beginWork });
        if (next === null) continue;
        shown = next.shown;
        watch.follow(next.portfolio.accounts);
        if (next.changes !== null) yield { kind: 'changes', changes: next.changes, work: next.work };
      }
    } finally {
      watch.close();
    }
  }

  /** Returns null if there was no turn for it. */
  async #changesSince(before: Shown, { request, textOf, beginWork }: Omit<StreamedPositions, 'signal'>) {
    const work = beginWork();
    try {
      return await this.#turns.run(false, async () => {
        const portfolio = await this.#options.portfolios.of(request, work);
        return { ...(await computeChanges(before, portfolio, textOf, work)), portfolio, work };
      });
    } catch (error) {
      if (error instanceof WorkRefused) return null;
      throw error;
    }
  }
}
