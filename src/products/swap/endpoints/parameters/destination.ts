import type { Address } from '../../../../solana/address.ts';
import { WRAPPED_SOL_MINT } from '../../../../solana/program-addresses.ts';
import { SwapRefused } from '../../../../swaps/refusals.ts';
import type { SwapDestination } from '../../../../swaps/build/swap-terms.ts';

/** The accounts that a request names for its output. */
export interface NamedDestination {
  readonly token: Address | null;
  readonly native: Address | null;
}

/** @throws SwapRefused when both are given, or a native account for a token other than SOL */
export function resolveDestination(
  { token, native }: NamedDestination,
  outputMint: Address,
): SwapDestination {
  if (token !== null && native !== null) {
    throw new SwapRefused(
      'destinationTokenAccount and nativeDestinationAccount exclude each other; give one',
    );
  }
  if (token !== null) return { kind: 'token-account', address: token };
  if (native !== null && outputMint !== WRAPPED_SOL_MINT) {
    throw new SwapRefused(
      `nativeDestinationAccount receives SOL, so outputMint must be ${WRAPPED_SOL_MINT}, got ${outputMint}`,
    );
  }
  return native === null ? { kind: 'taker' } : { kind: 'native', address: native };
}
