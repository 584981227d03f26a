import type { Protocol } from '../../protocol/protocol.ts';
import { jupiterPerpetuals } from './fetcher.ts';
import { PERPETUAL_ACCOUNTS } from './perpetual-account-types.ts';

/** Leveraged positions of Jupiter Perpetuals. */
export const jupiterPerpetualsProtocol: Protocol = {
  name: 'jupiter-perpetuals',
  fetchers: [jupiterPerpetuals],
  accounts: [PERPETUAL_ACCOUNTS],
};
