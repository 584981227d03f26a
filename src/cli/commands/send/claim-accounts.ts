import { createRpcAccountSource } from '../../../chain/clone/account-source.ts';
import type { Account } from '../../../chain/accounts.ts';
import type { PostLimits } from '../../../common/bounded-post.ts';
import type { OpenInvite } from '../../../protocols/jupiter-send/invite-instructions.ts';
import type { Address } from '../../../solana/address.ts';
import { formatDecimalAmount } from '../../../solana/codec/decimal-amount.ts';
import { findTokenByMint } from '../../../solana/known-tokens.ts';
import { deriveAssociatedTokenAddress } from '../../../solana/pda.ts';
import { isTokenProgram } from '../../../solana/program-addresses.ts';
import { computeAssociatedAccountSize } from '../../../solana/programs/token/associated-size.ts';
import { decodeMint, isMint } from '../../../solana/programs/token/mint.ts';
import { computeRentExemptMinimum } from '../../../solana/rent.ts';
import { formatSol } from './format-sol.ts';

const LIMITS: PostLimits = { timeoutMs: 30_000, maxBytes: 4 * 1024 * 1024 };

/** What a claim depends on beside the invite. */
export interface ClaimAccounts {
  /** Lamports of the payer. */
  readonly payerLamports: bigint;
  /** What the receiver's token account still needs for its rent, in lamports: 0 if it exists, and for SOL. */
  readonly rent: bigint;
}

/**
 * Reads the accounts that decide what a claim costs.
 *
 * @throws OperatorError when the RPC does not answer.
 */
export async function readClaimAccounts(
  rpc: URL,
  { token }: OpenInvite,
  { receiver, payer }: { readonly receiver: Address; readonly payer: Address },
): Promise<ClaimAccounts> {
  const ofToken =
    token === null
      ? []
      : [token.mint, deriveAssociatedTokenAddress(receiver, token.mint, token.tokenProgram)];
  const [paying = null, mint = null, account = null] = await createRpcAccountSource(rpc, LIMITS).read([
    payer,
    ...ofToken,
  ]);
  return { payerLamports: paying?.lamports ?? 0n, rent: computeMissingRent(mint, account) };
}

/** Without a mint, no account can be opened. */
function computeMissingRent(mint: Account | null, account: Account | null): bigint {
  if (mint === null || !isMint(mint.data) || (account !== null && isTokenProgram(account.owner))) return 0n;
  const size = computeAssociatedAccountSize(mint.owner, decodeMint(mint.data));
  const missing = computeRentExemptMinimum(size) - (account?.lamports ?? 0n);
  return missing > 0n ? missing : 0n;
}

/**
 * Fetches what it takes to show amounts of a token.
 *
 * @param mint - Null for SOL.
 * @returns A function that formats atoms, as in `12.5 USDC`. Atoms of a mint that is gone are shown as they are.
 * @throws OperatorError when the RPC does not answer.
 */
export async function fetchAmountFormat(rpc: URL, mint: Address | null): Promise<(atoms: bigint) => string> {
  if (mint === null) return formatSol;
  const [account = null] = await createRpcAccountSource(rpc, LIMITS).read([mint]);
  if (account === null || !isMint(account.data)) return (atoms) => `${atoms} atoms of ${mint}`;
  const { decimals } = decodeMint(account.data);
  const name = findTokenByMint(mint)?.symbol ?? mint;
  return (atoms) => `${formatDecimalAmount(atoms, decimals)} ${name}`;
}
