import type { Address } from '../../solana/address.ts';
import { computeAssociatedAccountSize } from '../../solana/programs/token/associated-size.ts';
import { decodeMint } from '../../solana/programs/token/mint.ts';
import { computeRentExemptMinimum } from '../../solana/rent.ts';
import { SwapRefused } from '../refusals.ts';
import type { MintReader } from './assembly.ts';

/**
 * Computes the rent of an associated token account of a mint.
 * @throws SwapRefused when the mint does not exist
 */
export function computeTokenAccountRent(pools: MintReader, mint: Address): bigint {
  const account = pools.account(mint);
  if (account === null) throw new SwapRefused(`the mint ${mint} does not exist`);
  return computeRentExemptMinimum(computeAssociatedAccountSize(account.owner, decodeMint(account.data)));
}
