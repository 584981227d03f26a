import type { Address } from '../../../solana/address.ts';
import { readonly } from '../../../solana/messages/instruction.ts';
import { Swap } from '../../aggregator/swap.ts';
import type { RouteStep, SwapParties } from '../../venue.ts';
import type { PoolAddresses } from './addresses.ts';
import { swapAccounts } from './instructions.ts';
import { RAYDIUM_CPMM_PROGRAM } from './program.ts';

/** The aggregator's step `RaydiumCP`: it calls `swap_base_input` with the 13 accounts behind the program. */
export function routeStep(pool: PoolAddresses, inputMint: Address, user: SwapParties): RouteStep {
  return {
    swap: Swap.raydiumCp,
    accounts: [
      readonly(RAYDIUM_CPMM_PROGRAM),
      ...swapAccounts(pool, inputMint, readonly(user.authority), user),
    ],
  };
}
