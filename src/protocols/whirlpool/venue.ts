import type { Address } from '../../solana/address.ts';
import { readonly } from '../../solana/messages/instruction.ts';
import { Swap } from '../../protocol/venue/aggregator-step.ts';
import type { RouteStep, SwapParties, Venue } from '../../protocol/venue/venue.ts';
import { estimate } from './venue/estimate.ts';
import { isAToB, type WhirlpoolSwapPool, swapV2Accounts } from './venue/instructions.ts';
import { POOL_FILTER } from './program/layout.ts';
import { forExactOut } from './venue/exact-out.ts';
import {
  advance,
  decodePoolState,
  isPool,
  listWhirlpoolDependencies,
  listWhirlpoolFurtherDependencies,
  type WhirlpoolPool,
} from './venue/pool.ts';
import { WHIRLPOOL_PROGRAM } from './program/program.ts';
import { quoteExactIn, quoteExactOut } from './venue/quote.ts';

/** Orca's concentrated-liquidity pools, for both token programs, with fixed and with adaptive fees. */
export const whirlpool: Venue<WhirlpoolPool> = {
  label: 'Whirlpool',
  program: WHIRLPOOL_PROGRAM,
  isPool,
  poolFilter: POOL_FILTER,
  dependencies: listWhirlpoolDependencies,
  furtherDependencies: listWhirlpoolFurtherDependencies,
  dependenciesMove: true,
  decode: decodePoolState,
  advance,
  quoteExactIn,
  quoteExactOut,
  estimate,
  vaults: ({ vaults }) => vaults,
  // What is withheld of a transfer is noted in a memo.
  calls: ({ transferFees }) => (transferFees.some((fee) => fee !== null) ? 4 : 3),
  forExactOut,
  routeStep,
};

/** The aggregator's step `WhirlpoolSwapV2`: it calls `swap_v2` with the 15 accounts behind the program. */
function routeStep(pool: WhirlpoolSwapPool, inputMint: Address, user: SwapParties): RouteStep {
  const aToB = isAToB(pool, inputMint);
  return {
    swap: Swap.whirlpoolSwapV2(aToB, null),
    accounts: [readonly(WHIRLPOOL_PROGRAM), ...swapV2Accounts(pool, aToB, readonly(user.authority), user)],
  };
}
