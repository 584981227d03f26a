import { ConcurrencyLimit } from '../../../common/collections/concurrency-limit.ts';
import type { Timers } from '../../../common/ports/timers.ts';
import { Unavailable } from '../../../common/unavailable.ts';
import type { Chain } from '../../../chain/chain.ts';
import type { Portfolio } from '../evaluation/evaluate.ts';
import type { Portfolios } from '../portfolios.ts';
import type { PositionsRequest } from '../request.ts';
import type { ValuedElement } from '../valuation/valued.ts';
import { AccountChanges } from './account-changes.ts';
import { type Changes, changesSince, type KeyedElement, shownOf } from './changes.ts';

/** The first event has all positions of a wallet, and later events have the changes. */
export type PortfolioEvent =
  | { readonly kind: 'positions'; readonly portfolio: Portfolio; readonly elements: readonly KeyedElement[] }
  | { readonly kind: 'changes'; readonly changes: Changes };

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
   * next request are combined in one event.
   *
   * @param textOf - Writes an element as clients see it.
   * @throws Unavailable when the network does not answer
   */
  async *follow(
    request: PositionsRequest,
    textOf: (element: ValuedElement) => string,
    signal: AbortSignal,
  ): AsyncGenerator<PortfolioEvent> {
    const { portfolios } = this.#options;
    const watch = this.#accounts.watch();
    try {
      const first = await portfolios.of(request);
      let shown = shownOf(first, textOf);
      watch.follow(first.accounts);
      yield { kind: 'positions', portfolio: first, elements: [...shown.elements.values()] };
      while (!signal.aborted) {
        await watch.next(signal);
        if (signal.aborted) return;
        const portfolio = await this.#turns.run(false, () => portfolios.of(request));
        const next = changesSince(shown, portfolio, textOf);
        shown = next.shown;
        watch.follow(portfolio.accounts);
        if (next.changes !== null) yield { kind: 'changes', changes: next.changes };
      }
    } finally {
      watch.close();
    }
  }
}
