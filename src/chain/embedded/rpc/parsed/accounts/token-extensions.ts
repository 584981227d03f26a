import { ByteReader, LayoutInvalid } from '../../../../../solana/codec/byte-reader.ts';
import {
  type Extension,
  ExtensionType,
  readMaybeAddress,
} from '../../../../../solana/programs/token/extensions.ts';
import {
  type TransferFee,
  findTransferFeeConfig,
} from '../../../../../solana/programs/token/transfer-fee.ts';
import { toBase64 } from '../../encoding/base64.ts';
import { decodeUtf8 } from '../instructions/instruction.ts';
import { ACCOUNT_STATES } from '../instructions/token-names.ts';
import {
  findInterestConfig,
  findScaledAmountConfig,
} from '../../../../../solana/programs/token/display-amount.ts';
import { formatPlainNumber } from '../plain-number.ts';
import {
  readConfidentialAccount,
  readConfidentialFeeConfig,
  readConfidentialMint,
  readConfidentialMintBurn,
} from './confidential.ts';

export interface ParsedExtension {
  readonly extension: string;
  readonly state?: unknown;
}

/** Returns undefined when there are none, because the public interface then leaves the member out. */
export function parseExtensions(extensions: readonly Extension[]): readonly ParsedExtension[] | undefined {
  return extensions.length === 0 ? undefined : extensions.map(parseExtension);
}

/** Extensions with an unknown type or too little data are reported as unparseable. */
function parseExtension(extension: Extension): ParsedExtension {
  const parser = PARSERS.get(extension.type);
  if (parser === undefined) return { extension: 'unparseableExtension' };
  const [name, parse] = parser;
  if (parse === null) return { extension: name };
  try {
    return { extension: name, state: parse(new ByteReader(extension.data, name), extension) };
  } catch (error) {
    if (error instanceof LayoutInvalid) return { extension: 'unparseableExtension' };
    throw error;
  }
}

/** Null for an extension without data. */
type StateParser = ((reader: ByteReader, extension: Extension) => unknown) | null;

const PARSERS: ReadonlyMap<number, readonly [string, StateParser]> = new Map<
  number,
  readonly [string, StateParser]
>([
  [ExtensionType.TRANSFER_FEE_CONFIG, ['transferFeeConfig', (_, extension) => transferFeeConfig(extension)]],
  [ExtensionType.TRANSFER_FEE_AMOUNT, ['transferFeeAmount', (reader) => ({ withheldAmount: reader.u64() })]],
  [ExtensionType.MINT_CLOSE_AUTHORITY, ['mintCloseAuthority', addresses('closeAuthority')]],
  [ExtensionType.CONFIDENTIAL_TRANSFER_MINT, ['confidentialTransferMint', readConfidentialMint]],
  [ExtensionType.CONFIDENTIAL_TRANSFER_ACCOUNT, ['confidentialTransferAccount', readConfidentialAccount]],
  [ExtensionType.DEFAULT_ACCOUNT_STATE, ['defaultAccountState', defaultAccountState]],
  [ExtensionType.IMMUTABLE_OWNER, ['immutableOwner', null]],
  [
    ExtensionType.MEMO_TRANSFER,
    ['memoTransfer', (reader) => ({ requireIncomingTransferMemos: reader.bool() })],
  ],
  [ExtensionType.NON_TRANSFERABLE, ['nonTransferable', null]],
  [
    ExtensionType.INTEREST_BEARING_CONFIG,
    ['interestBearingConfig', (_, extension) => findInterestConfig([extension])],
  ],
  [ExtensionType.CPI_GUARD, ['cpiGuard', (reader) => ({ lockCpi: reader.bool() })]],
  [ExtensionType.PERMANENT_DELEGATE, ['permanentDelegate', addresses('delegate')]],
  [ExtensionType.NON_TRANSFERABLE_ACCOUNT, ['nonTransferableAccount', null]],
  [ExtensionType.TRANSFER_HOOK, ['transferHook', addresses('authority', 'programId')]],
  [
    ExtensionType.TRANSFER_HOOK_ACCOUNT,
    ['transferHookAccount', (reader) => ({ transferring: reader.bool() })],
  ],
  [
    ExtensionType.CONFIDENTIAL_TRANSFER_FEE_CONFIG,
    ['confidentialTransferFeeConfig', readConfidentialFeeConfig],
  ],
  [
    ExtensionType.CONFIDENTIAL_TRANSFER_FEE_AMOUNT,
    ['confidentialTransferFeeAmount', (reader) => ({ withheldAmount: toBase64(reader.bytes(64)) })],
  ],
  [ExtensionType.METADATA_POINTER, ['metadataPointer', addresses('authority', 'metadataAddress')]],
  [ExtensionType.TOKEN_METADATA, ['tokenMetadata', tokenMetadata]],
  [ExtensionType.GROUP_POINTER, ['groupPointer', addresses('authority', 'groupAddress')]],
  [ExtensionType.TOKEN_GROUP, ['tokenGroup', tokenGroup]],
  [ExtensionType.GROUP_MEMBER_POINTER, ['groupMemberPointer', addresses('authority', 'memberAddress')]],
  [ExtensionType.TOKEN_GROUP_MEMBER, ['tokenGroupMember', tokenGroupMember]],
  [ExtensionType.CONFIDENTIAL_MINT_BURN, ['confidentialMintBurn', readConfidentialMintBurn]],
  [ExtensionType.SCALED_UI_AMOUNT, ['scaledUiAmountConfig', (_, extension) => scaledUiAmount(extension)]],
  [
    ExtensionType.PAUSABLE,
    ['pausableConfig', (reader) => ({ authority: readMaybeAddress(reader), paused: reader.bool() })],
  ],
  [ExtensionType.PAUSABLE_ACCOUNT, ['pausableAccount', null]],
]);

/** Parses a sequence of optional addresses. */
function addresses(...names: readonly string[]): StateParser {
  return (reader) => Object.fromEntries(names.map((name) => [name, readMaybeAddress(reader)]));
}

function transferFeeConfig(extension: Extension) {
  const config = findTransferFeeConfig([extension]);
  if (config === null) throw new LayoutInvalid('no transfer fee config');
  return {
    transferFeeConfigAuthority: config.configAuthority,
    withdrawWithheldAuthority: config.withdrawWithheldAuthority,
    withheldAmount: config.withheldAmount,
    olderTransferFee: transferFee(config.older),
    newerTransferFee: transferFee(config.newer),
  };
}

function transferFee({ epoch, maximumFee, basisPoints }: TransferFee) {
  return { epoch, maximumFee, transferFeeBasisPoints: basisPoints };
}

function defaultAccountState(reader: ByteReader) {
  const state = reader.u8();
  return { accountState: ACCOUNT_STATES[state] ?? reader.fail(`unknown account state ${state}`) };
}

function scaledUiAmount(extension: Extension) {
  const config = findScaledAmountConfig([extension]);
  if (config === null) throw new LayoutInvalid('no scaled UI amount config');
  const { authority, multiplier, newMultiplierEffectiveTimestamp, newMultiplier } = config;
  return {
    authority,
    multiplier: formatPlainNumber(multiplier),
    newMultiplierEffectiveTimestamp,
    newMultiplier: formatPlainNumber(newMultiplier),
  };
}

/** Parses Borsh: strings with u32 lengths, then pairs of them. */
function tokenMetadata(reader: ByteReader) {
  const text = () => decodeUtf8(reader.bytes(reader.u32()));
  const head = {
    updateAuthority: readMaybeAddress(reader),
    mint: reader.address(),
    name: text(),
    symbol: text(),
    uri: text(),
  };
  const count = reader.u32();
  if (count * 8 > reader.remaining) reader.fail(`${count} additional fields`);
  return { ...head, additionalMetadata: Array.from({ length: count }, () => [text(), text()]) };
}

function tokenGroup(reader: ByteReader) {
  return {
    updateAuthority: readMaybeAddress(reader),
    mint: reader.address(),
    size: reader.u64(),
    maxSize: reader.u64(),
  };
}

function tokenGroupMember(reader: ByteReader) {
  return { mint: reader.address(), group: reader.address(), memberNumber: reader.u64() };
}
