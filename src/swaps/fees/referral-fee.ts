import type { Pools } from '../../market/pools/pools.ts';
import type { Address } from '../../solana/address.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { deriveReferralTokens } from '../../solana/programs/referral/program.ts';
import type { Bps } from '../../solana/units.ts';
import type { TokenAccountMints } from '../../transactions/token-account-mints.ts';
import { chooseFeeMint, createPlatformFee, type SwapPair, type PlatformFee } from './platform-fee.ts';

/**
 * The referrer's fee, collected in the mint that `chooseFeeMint` chooses. Null when the referrer has no
 * token account for that mint; the swap is then made without the fee, as by the public service.
 */
export async function findReferralFee(
  { pools, tokenAccountMints }: { readonly pools: Pools; readonly tokenAccountMints: TokenAccountMints },
  { inputMint, outputMint }: SwapPair,
  { account, bps }: { readonly account: Address; readonly bps: Bps },
): Promise<PlatformFee | null> {
  const mint = chooseFeeMint(inputMint, outputMint);
  const candidates = deriveReferralTokenAccounts(account, mint, pools.account(mint)?.owner);
  const mints = await Promise.all(candidates.map((candidate) => tokenAccountMints.of(candidate)));
  const opened = candidates.find((_, index) => mints[index] === mint);
  return opened === undefined ? null : createPlatformFee(opened, mint, bps, inputMint);
}

/**
 * The accounts that the referral program accepts for fees: its own for the pair, or the one associated with the
 * referral.
 */
export function deriveReferralTokenAccounts(
  referral: Address,
  mint: Address,
  tokenProgram: Address | undefined,
): readonly Address[] {
  const own = deriveReferralTokens(referral, mint);
  return tokenProgram === undefined
    ? [own]
    : [own, deriveAssociatedTokenAddress(referral, mint, tokenProgram)];
}
