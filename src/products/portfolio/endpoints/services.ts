import type { ValueStore } from '../history/value-store.ts';
import type { Portfolios } from '../evaluation/portfolios.ts';
import type { PortfolioFollower } from '../stream/follow.ts';

export interface PortfolioServices {
  readonly portfolios: Portfolios;
  readonly follower: PortfolioFollower;
  readonly values: ValueStore;
  /** Unix milliseconds. */
  readonly now: () => number;
}
