import type { Address } from '../../../solana/address.ts';
import { readonly } from '../../../solana/messages/instruction.ts';
import { Swap } from '../../aggregator/swap.ts';
import type { RouteStep, SwapParties } from '../../venue.ts';
import { isAToB, type SwapPool, swapV2Accounts } from './instructions.ts';
import { WHIRLPOOL_PROGRAM } from './program.ts';

/** The aggregator's step `WhirlpoolSwapV2`: it calls `swap_v2` with the 15 accounts behind the program. */
export function routeStep(pool: SwapPool, inputMint: Address, user: SwapParties): RouteStep {
  const aToB = isAToB(pool, inputMint);
  return {
    swap: Swap.whirlpoolSwapV2(aToB, null),
    accounts: [readonly(WHIRLPOOL_PROGRAM), ...swapV2Accounts(pool, aToB, readonly(user.authority), user)],
  };
}
