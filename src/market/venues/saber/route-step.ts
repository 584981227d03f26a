import type { Address } from '../../../solana/address.ts';
import { readonly, writable } from '../../../solana/messages/instruction.ts';
import { TOKEN_PROGRAM } from '../../../solana/program-addresses.ts';
import { Swap } from '../../aggregator/swap.ts';
import type { RouteStep, SwapParties } from '../../venue.ts';
import type { SaberAddresses } from './addresses.ts';
import { SABER_PROGRAM } from './program.ts';

/** The aggregator's step `Saber`: the token program first, and each reserve behind the user's account of its side. */
export function routeStep(pool: SaberAddresses, inputMint: Address, user: SwapParties): RouteStep {
  const [input, output] = inputMint === pool.mints[0] ? ([0, 1] as const) : ([1, 0] as const);
  return {
    swap: Swap.saber,
    accounts: [
      readonly(SABER_PROGRAM),
      readonly(TOKEN_PROGRAM),
      readonly(pool.address),
      readonly(pool.authority),
      readonly(user.authority),
      writable(user.source),
      writable(pool.reserves[input]),
      writable(user.destination),
      writable(pool.reserves[output]),
      writable(pool.adminFees[output]),
    ],
  };
}
