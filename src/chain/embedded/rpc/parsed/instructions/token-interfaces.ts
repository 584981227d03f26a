import { ByteReader } from '../../../../../solana/codec/byte-reader.ts';
import { readMaybeAddress } from '../../../../../solana/programs/token/extensions.ts';
import { decodeUtf8, nameAccounts, type ParsedInstruction, type PlainInstruction } from './instruction.ts';

type TokenInterfaceParser = (instruction: PlainInstruction, reader: ByteReader) => ParsedInstruction;

const METADATA_AUTHORITY = ['metadata', 'updateAuthority'] as const;
const GROUP_AUTHORITY = ['group', 'updateAuthority'] as const;

/** Token-metadata and token-group instructions, by the hexadecimal text of their eight-byte discriminators. */
const PARSERS: ReadonlyMap<string, TokenInterfaceParser> = new Map<string, TokenInterfaceParser>([
  ['d2e11ea258b84d8d', initializeMetadata],
  ['dde9312db5cadcc8', updateField],
  ['ea122038598d25b5', removeKey],
  ['d7e4a6e45464567b', updateMetadataAuthority],
  ['faa6b4fa0d0cb846', emitMetadata],
  ['79716c2736330004', initializeGroup],
  ['6c25ab8ff81e126e', updateGroupMaxSize],
  ['a1695801edddd8cb', updateGroupAuthority],
  ['9820deb0dfed7486', initializeMember],
]);

const DISCRIMINATOR_BYTES = 8;

export function parseTokenInterface(instruction: PlainInstruction): ParsedInstruction {
  const reader = new ByteReader(instruction.data, 'token interface instruction');
  const discriminator = Buffer.from(reader.bytes(DISCRIMINATOR_BYTES)).toString('hex');
  const parse = PARSERS.get(discriminator);
  return parse === undefined
    ? reader.fail(`unknown discriminator ${discriminator}`)
    : parse(instruction, reader);
}

/** Reads a Borsh string: its length as u32, then UTF-8. */
function text(reader: ByteReader): string {
  return decodeUtf8(reader.bytes(reader.u32()));
}

function initializeMetadata(ix: PlainInstruction, reader: ByteReader): ParsedInstruction {
  const accounts = nameAccounts(ix, ...METADATA_AUTHORITY, 'mint', 'mintAuthority');
  const info = { ...accounts, name: text(reader), symbol: text(reader), uri: text(reader) };
  return { type: 'initializeTokenMetadata', info };
}

const FIXED_FIELDS = ['name', 'symbol', 'uri'] as const;
const KEYED_FIELD = 3;

function updateField(ix: PlainInstruction, reader: ByteReader): ParsedInstruction {
  const kind = reader.u8();
  const field =
    FIXED_FIELDS[kind] ?? (kind === KEYED_FIELD ? text(reader) : reader.fail(`unknown field ${kind}`));
  const info = { ...nameAccounts(ix, ...METADATA_AUTHORITY), field, value: text(reader) };
  return { type: 'updateTokenMetadataField', info };
}

function removeKey(ix: PlainInstruction, reader: ByteReader): ParsedInstruction {
  const info = { ...nameAccounts(ix, ...METADATA_AUTHORITY), idempotent: reader.bool(), key: text(reader) };
  return { type: 'removeTokenMetadataKey', info };
}

function updateMetadataAuthority(ix: PlainInstruction, reader: ByteReader): ParsedInstruction {
  const info = { ...nameAccounts(ix, ...METADATA_AUTHORITY), newAuthority: readMaybeAddress(reader) };
  return { type: 'updateTokenMetadataAuthority', info };
}

function emitMetadata(ix: PlainInstruction, reader: ByteReader): ParsedInstruction {
  const bound = () => (reader.bool() ? reader.u64() : undefined);
  return {
    type: 'emitTokenMetadata',
    info: { ...nameAccounts(ix, 'metadata'), start: bound(), end: bound() },
  };
}

function initializeGroup(ix: PlainInstruction, reader: ByteReader): ParsedInstruction {
  const updateAuthority = readMaybeAddress(reader);
  const info = {
    ...nameAccounts(ix, 'group', 'mint', 'mintAuthority'),
    updateAuthority,
    maxSize: reader.u64(),
  };
  return { type: 'initializeTokenGroup', info };
}

function updateGroupMaxSize(ix: PlainInstruction, reader: ByteReader): ParsedInstruction {
  return {
    type: 'updateTokenGroupMaxSize',
    info: { ...nameAccounts(ix, ...GROUP_AUTHORITY), maxSize: reader.u64() },
  };
}

function updateGroupAuthority(ix: PlainInstruction, reader: ByteReader): ParsedInstruction {
  const info = { ...nameAccounts(ix, ...GROUP_AUTHORITY), newAuthority: readMaybeAddress(reader) };
  return { type: 'updateTokenGroupAuthority', info };
}

function initializeMember(ix: PlainInstruction): ParsedInstruction {
  const member = ['member', 'memberMint', 'memberMintAuthority'];
  return {
    type: 'initializeTokenGroupMember',
    info: nameAccounts(ix, ...member, 'group', 'groupUpdateAuthority'),
  };
}
