import type { Account } from '../../chain/accounts.ts';
import { findTransferObstacle } from '../../protocol/venue/untransferable.ts';
import type { Address } from '../../solana/address.ts';
import { LayoutInvalid } from '../../solana/codec/byte-reader.ts';
import { isTokenProgram } from '../../solana/program-addresses.ts';
import { decodeTokenAccount, isTokenAccount } from '../../solana/programs/token/account.ts';
import { decodeMint, isMint, type Mint } from '../../solana/programs/token/mint.ts';
import { findTransferFeeConfig } from '../../solana/programs/token/transfer-fee.ts';
import type { KnownBalance, KnownMint } from './check-snapshot.ts';
import type { BookToken } from './live-book.ts';

/**
 * Reads a mint account.
 * Returns the token, or why it cannot be quoted, as the end of a sentence.
 */
export function readKnownMint(mint: Address, account: Account | null): KnownMint {
  if (account === null) return { unusable: `must be a mint, but ${mint} does not exist on this network` };
  if (!isTokenProgram(account.owner) || !isMint(account.data)) {
    return { unusable: `must be a mint, but ${mint} is another account` };
  }
  const decoded = readOrNull(() => decodeMint(account.data));
  const obstacle = decoded === null ? null : readOrNull(() => describeMintObstacle(decoded));
  if (decoded === null || obstacle === null) {
    return { unusable: `must be a mint, but ${mint} has data that is none` };
  }
  if (obstacle !== '') return { unusable: `cannot be quoted: ${mint} has ${obstacle}` };
  return { mint, decimals: decoded.decimals, tokenProgram: account.owner };
}

/** Returns why a fill would fail or pay less than quoted; an empty string if it would not. An announced fee counts too. */
function describeMintObstacle(mint: Mint): string {
  const stuck = findTransferObstacle(mint);
  if (stuck !== null) return stuck;
  const fees = findTransferFeeConfig(mint.extensions);
  const takesFee = fees !== null && [fees.older, fees.newer].some(({ basisPoints }) => basisPoints > 0);
  return takesFee ? 'a fee on transfers, so that a fill would pay less than quoted' : '';
}

/**
 * Reads a maker's associated token account.
 * Returns its balance, or why it cannot pay, as the end of a sentence.
 */
export function readKnownBalance(
  address: Address,
  account: Account | null,
  { mint, tokenProgram }: BookToken,
): KnownBalance {
  if (account === null) return { unusable: `the token account ${address} does not exist` };
  if (account.owner !== tokenProgram || !isTokenAccount(account.data)) {
    return { unusable: `${address} is not a token account of the mint's program` };
  }
  const decoded = readOrNull(() => decodeTokenAccount(account.data));
  if (decoded === null) return { unusable: `the token account ${address} has data that is none` };
  const { amount, state, mint: held } = decoded;
  if (held !== mint) return { unusable: `${address} holds ${held} in place of ${mint}` };
  return state === 'frozen' ? { unusable: `the token account ${address} is frozen` } : { amount };
}

/** Anyone can create a Token-2022 account with extensions that cannot be decoded. */
function readOrNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof LayoutInvalid) return null;
    throw error;
  }
}
