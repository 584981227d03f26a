import { ANCHOR_FIRST_ERROR, type Venue } from '../../venue.ts';
import { METEORA_DAMM_V2_ERRORS } from './errors.ts';
import { estimate } from './estimate.ts';
import { meteoraDammV2Genesis } from './genesis.ts';
import { POOL_FILTER } from './layout.ts';
import { advance, decodePoolState, dependencies, isPool, type MeteoraDammV2Pool } from './pool.ts';
import { METEORA_DAMM_V2_PROGRAM } from './program.ts';
import { quoteExactIn, quoteExactOut } from './quote.ts';
import { routeStep } from './route-step.ts';

/** Meteora's DAMM v2 pools, for both token programs; a rate limiter at work is not quoted. */
export const meteoraDammV2: Venue<MeteoraDammV2Pool> = {
  label: 'Meteora DAMM v2',
  program: METEORA_DAMM_V2_PROGRAM,
  errors: [
    { program: METEORA_DAMM_V2_PROGRAM, names: METEORA_DAMM_V2_ERRORS, firstCode: ANCHOR_FIRST_ERROR },
  ],
  genesis: meteoraDammV2Genesis,
  isPool,
  poolFilter: POOL_FILTER,
  dependencies: (_address, account) => dependencies(account),
  decode: decodePoolState,
  advance,
  quoteExactIn,
  quoteExactOut,
  estimate,
  // It tells of the swap by a call of itself.
  calls: () => 4,
  routeStep,
};
