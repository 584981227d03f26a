import type { Address } from '../../solana/address.ts';
import { ByteReader } from '../../solana/codec/byte-reader.ts';
import { type Extension, ExtensionType, readMaybeAddress } from '../../solana/programs/token/extensions.ts';
import type { Mint } from '../../solana/programs/token/mint.ts';
import { findTransferFeeConfig } from '../../solana/programs/token/transfer-fee.ts';

/** Whether the tokens wait in a vault, or a fill pays them to the wallet at once. */
export type MintRole = 'held' | 'paid';

/** Extensions that take nothing from a holder and change nothing about a transfer. */
const HARMLESS: ReadonlySet<number> = new Set([
  ExtensionType.MINT_CLOSE_AUTHORITY,
  ExtensionType.CONFIDENTIAL_TRANSFER_MINT,
  // It withholds the fee of confidential transfers alone. That of others is judged by its own extension.
  ExtensionType.CONFIDENTIAL_TRANSFER_FEE_CONFIG,
  ExtensionType.INTEREST_BEARING_CONFIG,
  ExtensionType.METADATA_POINTER,
  ExtensionType.TOKEN_METADATA,
  ExtensionType.GROUP_POINTER,
  ExtensionType.TOKEN_GROUP,
  ExtensionType.GROUP_MEMBER_POINTER,
  ExtensionType.TOKEN_GROUP_MEMBER,
  ExtensionType.SCALED_UI_AMOUNT,
  ExtensionType.PERMISSIONED_BURN,
]);

/**
 * Returns why no order is made with a mint, as the end of a sentence that begins with the mint; null if one may be made. What an
 * issuer could do to tokens in a vault is no objection to those that go to the wallet at once, which chose them.
 */
export function findMintObjection({ extensions }: Pick<Mint, 'extensions'>, role: MintRole): string | null {
  for (const extension of extensions) {
    const objection = HARMLESS.has(extension.type)
      ? null
      : findExtensionObjection(extension, extensions, role);
    if (objection !== null) return objection;
  }
  return null;
}

function findExtensionObjection(
  { type, data }: Extension,
  extensions: readonly Extension[],
  role: MintRole,
): string | null {
  switch (type) {
    case ExtensionType.TRANSFER_FEE_CONFIG:
      return hasTransferFee(extensions) ? 'has a transfer fee' : null;
    case ExtensionType.TRANSFER_HOOK:
      return readAddresses(data, 2).every((address) => address === null) ? null : 'has a transfer hook';
    case ExtensionType.PERMANENT_DELEGATE:
      return role === 'paid' || readAddresses(data, 1)[0] === null ? null : 'has a permanent delegate';
    case ExtensionType.PAUSABLE:
      return role === 'paid' ? null : 'has transfers that its issuer can pause';
    case ExtensionType.DEFAULT_ACCOUNT_STATE:
      return data[0] === FROZEN ? 'has accounts that are frozen from the beginning' : null;
    case ExtensionType.NON_TRANSFERABLE:
      return 'cannot be transferred';
    default:
      return `has the extension ${type}, which orders do not support`;
  }
}

const FROZEN = 2;

/** Whether transfers cost a fee, now or after a change that is announced or that an authority can make. */
function hasTransferFee(extensions: readonly Extension[]): boolean {
  const config = findTransferFeeConfig(extensions);
  if (config === null) return false;
  const { configAuthority, older, newer } = config;
  return configAuthority !== null || older.basisPoints > 0 || newer.basisPoints > 0;
}

function readAddresses(data: Uint8Array, count: number): readonly (Address | null)[] {
  const reader = new ByteReader(data, 'extension of a mint');
  return Array.from({ length: count }, () => readMaybeAddress(reader));
}
