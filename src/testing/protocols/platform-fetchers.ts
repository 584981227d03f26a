import type { PositionFetcher } from '../../protocol/positions/fetcher.ts';
import { PROTOCOLS } from '../../protocols/index.ts';

/** The fetchers of protocols without a venue, which need no pools. */
export const PLATFORM_FETCHERS: readonly PositionFetcher[] = PROTOCOLS.filter(
  ({ venue }) => venue === undefined,
).flatMap(({ fetchers = [] }) => fetchers);
