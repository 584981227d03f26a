import type { Address } from '../../../../solana/address.ts';
import { SwapRefused } from '../../../../swaps/refusals.ts';

/** @throws SwapRefused when a swap would have the same input and output */
export function checkMintPair(inputMint: Address, outputMint: Address): void {
  if (inputMint !== outputMint) return;
  throw new SwapRefused(
    `inputMint and outputMint must differ, both are ${inputMint}`,
    'CIRCULAR_ARBITRAGE_IS_DISABLED',
  );
}
