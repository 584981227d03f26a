import type { Address } from '../../../solana/address.ts';
import { ByteReader } from '../../../solana/codec/byte-reader.ts';
import type { TokenAccount } from '../../../solana/programs/token/account.ts';
import { ExtensionType, findExtension } from '../../../solana/programs/token/extensions.ts';

/** Why the owner of a token account cannot close it as it stands. */
export type Obstacle =
  /** It is frozen, so that the owner cannot move what it holds. */
  | 'frozen'
  /** Another wallet was appointed to close it, and would have to sign. */
  | 'close-authority'
  /** It has an extension with balances that only a confidential transfer moves. */
  | 'confidential'
  /** It holds tokens. */
  | 'balance';

/** Extensions that hold balances of their own. An account with one of them is left alone. */
const CONFIDENTIAL: readonly number[] = [
  ExtensionType.CONFIDENTIAL_TRANSFER_ACCOUNT,
  ExtensionType.CONFIDENTIAL_TRANSFER_FEE_AMOUNT,
];

/**
 * Finds what keeps an owner from closing a token account, apart from fees that are withheld in it: anybody may move those to
 * the mint, with the same transaction.
 *
 * Returns null if nothing does.
 */
export function findClosingObstacle(account: TokenAccount, owner: Address): Obstacle | null {
  if (account.state === 'frozen') return 'frozen';
  if (account.closeAuthority !== null && account.closeAuthority !== owner) return 'close-authority';
  if (account.extensions.some(({ type }) => CONFIDENTIAL.includes(type))) return 'confidential';
  return account.amount > 0n ? 'balance' : null;
}

/** Returns the atoms of transfer fees that Token-2022 withholds in the account. It cannot be closed with them. */
export function getWithheldFees({ extensions }: TokenAccount): bigint {
  const data = findExtension(extensions, ExtensionType.TRANSFER_FEE_AMOUNT);
  return data === null ? 0n : new ByteReader(data, 'withheld transfer fees').u64();
}
