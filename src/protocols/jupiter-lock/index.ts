import type { Protocol } from '../../protocol/protocol.ts';
import { jupiterLock } from './fetcher.ts';

/** Vesting escrows of Jupiter Lock. */
export const jupiterLockProtocol: Protocol = {
  name: 'jupiter-lock',
  fetchers: [jupiterLock],
};
