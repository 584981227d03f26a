import { type Address, address, addressBytes } from '../../../solana/address.ts';
import { associatedTokenAddress, findProgramAddress } from '../../../solana/pda.ts';
import type { BuildParts } from '../build/build-parts.ts';
import { feeMint } from './fee-mint.ts';
import type { OrderRequest } from '../engines/order-request.ts';
import { feeInto, type PlatformFee } from './platform-fee.ts';

/** Keeps who referred whom; its source is public. */
const REFERRAL_PROGRAM = address('REFER4ZgmyYx9c6He5XfaTMiGfdLwRnkV4RPp9t9iF3');
const TOKEN_ACCOUNT_SEED = new TextEncoder().encode('referral_ata');

/**
 * The referrer's fee, collected in the mint that `feeMint` chooses. Null without a referral, and when the referrer has
 * opened no token account for that mint: the swap is then made without the fee, as by the public service.
 */
export async function referralFee(parts: BuildParts, order: OrderRequest): Promise<PlatformFee | null> {
  if (order.referral === null) return null;
  const { account, bps } = order.referral;
  const mint = feeMint(order.inputMint, order.outputMint);
  const candidates = referralTokenAccounts(account, mint, parts.pools.account(mint)?.owner);
  const mints = await Promise.all(candidates.map((candidate) => parts.tokenAccountMints.of(candidate)));
  const opened = candidates.find((_, index) => mints[index] === mint);
  return opened === undefined ? null : feeInto(opened, mint, bps, order.inputMint);
}

/** Where the referral program lets fees arrive: its own account for the pair, or the one associated with the referral. */
export function referralTokenAccounts(
  referral: Address,
  mint: Address,
  tokenProgram: Address | undefined,
): readonly Address[] {
  const seeds = [TOKEN_ACCOUNT_SEED, addressBytes(referral), addressBytes(mint)];
  const own = findProgramAddress(REFERRAL_PROGRAM, seeds).address;
  return tokenProgram === undefined ? [own] : [own, associatedTokenAddress(referral, mint, tokenProgram)];
}
