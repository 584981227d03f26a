import type { Venue } from '../../venue.ts';
import { advance } from './advance.ts';
import { estimate } from './estimate.ts';
import { POOL_FILTER } from './layout.ts';
import { decodePoolState, dependencies, isPool, type RaydiumCpmmPool } from './pool.ts';
import { RAYDIUM_CPMM_PROGRAM } from './program.ts';
import { quoteExactIn, quoteExactOut } from './quote.ts';
import { routeStep } from './route-step.ts';

/** Raydium's constant-product pools, for both token programs. */
export const raydiumCpmm: Venue<RaydiumCpmmPool> = {
  label: 'Raydium CP',
  program: RAYDIUM_CPMM_PROGRAM,
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
