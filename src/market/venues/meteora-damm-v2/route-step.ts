import type { Address } from '../../../solana/address.ts';
import { readonly } from '../../../solana/messages/instruction.ts';
import { Swap } from '../../aggregator/swap.ts';
import type { RouteStep, SwapParties } from '../../venue.ts';
import { type SwapPool, swapAccounts } from './instructions.ts';
import { METEORA_DAMM_V2_PROGRAM } from './program.ts';

/** The aggregator's step `MeteoraDammV2`: it calls `swap` with the 14 accounts behind the program. */
export function routeStep(pool: SwapPool, _inputMint: Address, user: SwapParties): RouteStep {
  return {
    swap: Swap.meteoraDammV2,
    accounts: [
      readonly(METEORA_DAMM_V2_PROGRAM),
      ...swapAccounts(pool, readonly(user.authority), user, null),
    ],
  };
}
