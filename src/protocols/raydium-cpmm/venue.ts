import type { Address } from '../../solana/address.ts';
import { readonly } from '../../solana/messages/instruction.ts';
import { Swap } from '../../protocol/venue/aggregator-step.ts';
import type { RouteStep, SwapParties, Venue } from '../../protocol/venue/venue.ts';
import type { PoolAddresses } from './program/addresses.ts';
import { advance } from './advance.ts';
import { estimate } from './estimate.ts';
import { listRaydiumSwapAccounts } from './program/instructions.ts';
import { POOL_FILTER } from './program/layout.ts';
import {
  decodePoolState,
  listRaydiumDependencies,
  findPoolReserves,
  isPool,
  type RaydiumCpmmPool,
} from './pool.ts';
import { RAYDIUM_CPMM_PROGRAM } from './program/program.ts';
import { quoteExactIn, quoteExactOut } from './quote.ts';

/** Raydium's constant-product pools, for both token programs. */
export const raydiumCpmm: Venue<RaydiumCpmmPool> = {
  label: 'Raydium CP',
  program: RAYDIUM_CPMM_PROGRAM,
  isPool,
  poolFilter: POOL_FILTER,
  dependencies: (_address, account) => listRaydiumDependencies(account),
  decode: decodePoolState,
  advance,
  quoteExactIn,
  quoteExactOut,
  estimate,
  vaults: ({ vaults }) => vaults,
  reserves: findPoolReserves,
  openedAt: ({ openTime }) => openTime,
  routeStep: createRaydiumRouteStep,
};

/** The aggregator's step `RaydiumCP`: it calls `swap_base_input` with the 13 accounts behind the program. */
export function createRaydiumRouteStep(
  pool: PoolAddresses,
  inputMint: Address,
  user: SwapParties,
): RouteStep {
  return {
    swap: Swap.raydiumCp,
    accounts: [
      readonly(RAYDIUM_CPMM_PROGRAM),
      ...listRaydiumSwapAccounts(pool, inputMint, readonly(user.authority), user),
    ],
  };
}
