import type { Address } from '../../solana/address.ts';

/** Returns the mint of the shares in which a deposit of a token earns while it waits; null if it cannot. */
export type FindEarnMint = (inputMint: Address) => Address | null;

/** Why a deposit cannot earn, in the words of the interface. */
export const EARNING_REFUSED = {
  kind: 'jlEnabled is only supported for time_based orders',
  inputMint: 'jlEnabled is not supported for this input mint',
  craft: 'JL orders require the JL deposit craft. Please re-craft the deposit with jlMint.',
  jlMint: 'jlMint does not match the JL token for this input mint',
} as const;

/** No deposit earns. */
export const findNoEarnMint: FindEarnMint = () => null;
