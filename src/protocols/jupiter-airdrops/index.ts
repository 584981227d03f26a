import type { Protocol } from '../../protocol/protocol.ts';
import { jupiterAirdrops } from './fetcher.ts';
import { JUPUARY_PLATFORM } from './platform.ts';
import { AIRDROP_ACCOUNTS } from './airdrop-account-types.ts';

/** Airdrops of the Jupiter distributor. */
export const jupiterAirdropsProtocol: Protocol = {
  name: 'jupiter-airdrops',
  platforms: [JUPUARY_PLATFORM],
  fetchers: [jupiterAirdrops],
  accounts: [AIRDROP_ACCOUNTS],
};
