import type { Protocol } from '../../protocol/protocol.ts';
import { jupiterPerpetuals } from './fetcher.ts';

/** Leveraged positions of Jupiter Perpetuals. */
export const jupiterPerpetualsProtocol: Protocol = {
  name: 'jupiter-perpetuals',
  fetchers: [jupiterPerpetuals],
};
