import { computeAtomsWorth } from '../../protocol/genesis/prices.ts';
import { findTokenByMint } from '../../solana/known-tokens.ts';
import type { Address } from '../../solana/address.ts';

/** How many atoms of a token of the genesis that many dollars bought when its pools were made. */
export function computeGenesisAtoms(dollars: bigint, mint: Address): bigint {
  const token = findTokenByMint(mint);
  if (token === null) throw new Error(`${mint} is no token of the genesis`);
  return computeAtomsWorth(dollars, token);
}
