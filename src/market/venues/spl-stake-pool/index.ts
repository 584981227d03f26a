import type { Venue } from '../../venue.ts';
import { STAKE_POOL_ERRORS, STAKEDEX_ERRORS } from './errors.ts';
import { estimate } from './estimate.ts';
import { splStakePoolGenesis } from './genesis.ts';
import { POOL_FILTER } from './layout.ts';
import { decodePoolState, dependencies, isPool, type SplStakePool } from './pool.ts';
import { STAKE_POOL_PROGRAM, STAKEDEX_PROGRAM } from './program.ts';
import { quoteExactIn, quoteExactOut } from './quote.ts';
import { routeStep } from './route-step.ts';

/** Stake pools, as routes reach them: deposits of wrapped SOL and withdrawals into it, by way of a wrapper. */
export const splStakePool: Venue<SplStakePool> = {
  label: 'Sanctum',
  program: STAKE_POOL_PROGRAM,
  routeProgram: STAKEDEX_PROGRAM,
  errors: [
    { program: STAKE_POOL_PROGRAM, names: STAKE_POOL_ERRORS, firstCode: 0 },
    { program: STAKEDEX_PROGRAM, names: STAKEDEX_ERRORS, firstCode: 0 },
  ],
  genesis: splStakePoolGenesis,
  isPool,
  poolFilter: POOL_FILTER,
  dependencies: (_address, account) => dependencies(account),
  decode: decodePoolState,
  quoteExactIn,
  quoteExactOut,
  estimate,
  // Through stakedex, where a deposit takes the most: it unwraps the SOL, and takes its fee of the minted tokens.
  calls: () => 9,
  routeStep,
};
