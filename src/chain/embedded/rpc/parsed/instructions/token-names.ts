import type { ByteReader } from '../../../../../solana/codec/byte-reader.ts';

/** `AuthorityType` of the token programs, by number. */
export const AUTHORITY_TYPES = [
  'mintTokens',
  'freezeAccount',
  'accountOwner',
  'closeAccount',
  'transferFeeConfig',
  'withheldWithdraw',
  'closeMint',
  'interestRate',
  'permanentDelegate',
  'confidentialTransferMint',
  'transferHookProgramId',
  'confidentialTransferFeeConfig',
  'metadataPointer',
  'groupPointer',
  'groupMemberPointer',
  'scaledUiAmount',
  'pause',
  'permissionedBurn',
] as const;

/** The authorities of token accounts. All others are authorities of mints. */
export const AUTHORITIES_OF_ACCOUNTS: ReadonlySet<string> = new Set(['accountOwner', 'closeAccount']);

/** `ExtensionType` of Token-2022, by number. */
const EXTENSION_TYPES = [
  'uninitialized',
  'transferFeeConfig',
  'transferFeeAmount',
  'mintCloseAuthority',
  'confidentialTransferMint',
  'confidentialTransferAccount',
  'defaultAccountState',
  'immutableOwner',
  'memoTransfer',
  'nonTransferable',
  'interestBearingConfig',
  'cpiGuard',
  'permanentDelegate',
  'nonTransferableAccount',
  'transferHook',
  'transferHookAccount',
  'confidentialTransferFeeConfig',
  'confidentialTransferFeeAmount',
  'metadataPointer',
  'tokenMetadata',
  'groupPointer',
  'tokenGroup',
  'groupMemberPointer',
  'tokenGroupMember',
  'confidentialMintBurn',
  'scaledUiAmount',
  'pausable',
  'pausableAccount',
  'permissionedBurn',
] as const;

/** `AccountState` of a token account, by number. */
export const ACCOUNT_STATES = ['uninitialized', 'initialized', 'frozen'] as const;

/** Reads extension types as u16 up to the end of the instruction. */
export function readExtensionTypes(reader: ByteReader): string[] {
  const types: string[] = [];
  while (reader.remaining > 0) {
    const number = reader.u16();
    types.push(EXTENSION_TYPES[number] ?? reader.fail(`unknown extension ${number}`));
  }
  return types;
}
