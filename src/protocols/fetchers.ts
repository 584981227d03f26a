import type { PositionFetcher } from '../protocol/positions/fetcher.ts';
import type { PositionPlatform } from '../protocol/positions/platform.ts';
import { PROTOCOLS } from './index.ts';

/** The fetchers of all protocols, in the order of their reports. */
export const POSITION_FETCHERS: readonly PositionFetcher[] = PROTOCOLS.flatMap(
  ({ fetchers = [] }) => fetchers,
);

/** Every platform that some fetcher reads. A test holds that none is missing. */
export const PLATFORMS: readonly PositionPlatform[] = PROTOCOLS.flatMap(({ platforms = [] }) => platforms);
