import type { Protocol } from '../../protocol/protocol.ts';
import { jupiterAirdrops } from './fetcher.ts';
import { JUPUARY_PLATFORM } from './platform.ts';

/** Airdrops of the Jupiter distributor. */
export const jupiterAirdropsProtocol: Protocol = {
  name: 'jupiter-airdrops',
  platforms: [JUPUARY_PLATFORM],
  fetchers: [jupiterAirdrops],
};
