import { ANCHOR_FIRST_ERROR, type Venue } from '../../venue.ts';
import { WHIRLPOOL_ERRORS } from './errors.ts';
import { estimate } from './estimate.ts';
import { whirlpoolGenesis } from './genesis.ts';
import { POOL_FILTER } from './layout.ts';
import { decodePoolState, dependencies, isPool, type WhirlpoolPool } from './pool.ts';
import { WHIRLPOOL_PROGRAM } from './program.ts';
import { quoteExactIn, quoteExactOut } from './quote.ts';
import { routeStep } from './route-step.ts';

/** Orca's concentrated-liquidity pools, for both token programs, with fixed and with adaptive fees. */
export const whirlpool: Venue<WhirlpoolPool> = {
  label: 'Whirlpool',
  program: WHIRLPOOL_PROGRAM,
  errors: [{ program: WHIRLPOOL_PROGRAM, names: WHIRLPOOL_ERRORS, firstCode: ANCHOR_FIRST_ERROR }],
  genesis: whirlpoolGenesis,
  isPool,
  poolFilter: POOL_FILTER,
  dependencies,
  dependenciesMove: true,
  decode: decodePoolState,
  quoteExactIn,
  quoteExactOut,
  estimate,
  // What is withheld of a transfer is noted in a memo.
  calls: ({ transferFees }) => (transferFees.some((fee) => fee !== null) ? 4 : 3),
  routeStep,
};
