import { atomsWorth } from '../../protocol/genesis/prices.ts';
import { tokenByMint } from '../../solana/known-tokens.ts';
import type { Address } from '../../solana/address.ts';

/** How many atoms of a token of the genesis that many dollars bought when its pools were made. */
export function genesisAtomsWorth(dollars: bigint, mint: Address): bigint {
  const token = tokenByMint(mint);
  if (token === null) throw new Error(`${mint} is no token of the genesis`);
  return atomsWorth(dollars, token);
}
