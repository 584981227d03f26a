import { ANCHOR_FIRST_ERROR, type Venue } from '../../venue.ts';
import { advance } from './advance.ts';
import { RAYDIUM_CPMM_ERRORS } from './errors.ts';
import { estimate } from './estimate.ts';
import { raydiumCpmmGenesis } from './genesis.ts';
import { POOL_FILTER } from './layout.ts';
import { decodePoolState, dependencies, isPool, type RaydiumCpmmPool } from './pool.ts';
import { RAYDIUM_CPMM_PROGRAM } from './program.ts';
import { quoteExactIn, quoteExactOut } from './quote.ts';
import { routeStep } from './route-step.ts';

/** Raydium's constant-product pools, for both token programs. */
export const raydiumCpmm: Venue<RaydiumCpmmPool> = {
  label: 'Raydium CP',
  program: RAYDIUM_CPMM_PROGRAM,
  errors: [{ program: RAYDIUM_CPMM_PROGRAM, names: RAYDIUM_CPMM_ERRORS, firstCode: ANCHOR_FIRST_ERROR }],
  genesis: raydiumCpmmGenesis,
  isPool,
  poolFilter: POOL_FILTER,
  dependencies: (_address, account) => dependencies(account),
  decode: decodePoolState,
  advance,
  quoteExactIn,
  quoteExactOut,
  estimate,
  routeStep,
};
