import type { Venue } from '../../venue.ts';
import { SABER_ERRORS } from './errors.ts';
import { estimate } from './estimate.ts';
import { saberGenesis } from './genesis.ts';
import { POOL_FILTER } from './layout.ts';
import { decodePoolState, dependencies, isPool, type SaberPool } from './pool.ts';
import { SABER_PROGRAM } from './program.ts';
import { quoteExactIn, quoteExactOut } from './quote.ts';
import { routeStep } from './route-step.ts';

/** Saber's pools of two tokens that are worth the same. */
export const saber: Venue<SaberPool> = {
  label: 'Saber',
  program: SABER_PROGRAM,
  errors: [{ program: SABER_PROGRAM, names: SABER_ERRORS, firstCode: 0 }],
  genesis: saberGenesis,
  isPool,
  poolFilter: POOL_FILTER,
  dependencies: (_address, account) => dependencies(account),
  decode: decodePoolState,
  quoteExactIn,
  quoteExactOut,
  estimate,
  // The owner's fee is a transfer of its own.
  calls: () => 4,
  routeStep,
};
