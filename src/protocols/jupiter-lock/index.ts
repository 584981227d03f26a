import type { Protocol } from '../../protocol/protocol.ts';
import { ANCHOR_FIRST_ERROR } from '../../protocol/venue/venue.ts';
import { LOCK_ERRORS } from './errors.ts';
import { jupiterLock } from './fetcher.ts';
import { LOCK_PROGRAM } from './layout.ts';
import { LOCK_INSTRUCTIONS } from './lock-decoding.ts';
import { LOCK_ACCOUNTS } from './lock-account-types.ts';

/** Vesting escrows of Jupiter Lock. */
export const jupiterLockProtocol: Protocol = {
  name: 'jupiter-lock',
  programs: [{ name: 'locker', address: LOCK_PROGRAM, loadsAfterAggregator: true }],
  fetchers: [jupiterLock],
  errors: [{ program: LOCK_PROGRAM, names: LOCK_ERRORS, firstCode: ANCHOR_FIRST_ERROR }],
  instructions: [LOCK_INSTRUCTIONS],
  accounts: [LOCK_ACCOUNTS],
};
