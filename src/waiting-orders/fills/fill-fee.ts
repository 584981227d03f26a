import type { Pools } from '../../market/pools/pools.ts';
import type { Address } from '../../solana/address.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import type { Bps } from '../../solana/units.ts';
import { getIntermediateTokenAccount } from '../../swaps/build/token-flow.ts';
import {
  chooseFeeMint,
  createPlatformFee,
  type PlatformFee,
  type SwapPair,
} from '../../swaps/fees/platform-fee.ts';
import type { TokenAccountMints } from '../../transactions/token-account-mints.ts';

export interface FillFeeDependencies {
  readonly pools: Pools;
  readonly tokenAccountMints: TokenAccountMints;
  readonly gasWallet: Address;
  /** The setting `order-fee-bps`. */
  readonly feeBps: Bps;
}

/**
 * Finds the fee of a fill, which goes to the gas wallet's own token account: of the mint that fees are usually taken in, or
 * else of the other one.
 *
 * Returns null if there is no fee, or the gas wallet has an account of neither mint.
 */
export async function findFillFee(
  { pools, tokenAccountMints, gasWallet, feeBps }: FillFeeDependencies,
  { inputMint, outputMint }: SwapPair,
): Promise<PlatformFee | null> {
  if (feeBps === 0) return null;
  const first = chooseFeeMint(inputMint, outputMint);
  for (const mint of [first, first === inputMint ? outputMint : inputMint]) {
    const program = pools.account(mint)?.owner;
    // The program hands on what is left of an output by a plain transfer, which not all mints of Token-2022 allow.
    if (program === undefined || (mint === outputMint && program !== TOKEN_PROGRAM)) continue;
    const { account } = getIntermediateTokenAccount(gasWallet, gasWallet, mint, program);
    if ((await tokenAccountMints.of(account)) === mint)
      return createPlatformFee(account, mint, feeBps, inputMint);
  }
  return null;
}
