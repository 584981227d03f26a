import { ByteReader } from '../../../../../solana/codec/byte-reader.ts';
import { toUiTokenAmount } from '../../../../../solana/programs/token/display-amount.ts';
import {
  type AuthorityNames,
  createAuthorityNames,
  decodeUtf8,
  nameAccounts,
  nameAccountsWithAuthority,
  readTaggedAddress,
  type ParsedInstruction,
  type PlainInstruction,
} from './instruction.ts';
import { parseTokenExtension } from './token-extensions.ts';
import { AUTHORITIES_OF_ACCOUNTS, AUTHORITY_TYPES, readExtensionTypes } from './token-names.ts';
import { parseTokenInterface } from './token-interfaces.ts';

const OWNER = createAuthorityNames('owner');
const AUTHORITY = createAuthorityNames('authority');
const MINT_AUTHORITY = createAuthorityNames('mintAuthority');
const FREEZE_AUTHORITY = createAuthorityNames('freezeAuthority');

const BATCH = 255;

/** Parses the instructions of both token programs. The kind is the first byte, or eight bytes for the token interfaces. */
export function parseToken(instruction: PlainInstruction): ParsedInstruction {
  const reader = new ByteReader(instruction.data, 'token instruction');
  const kind = reader.u8();
  if (kind === BATCH) return batch(instruction, reader);
  const parse = PARSERS[kind];
  if (parse !== undefined) return parse(instruction, reader);
  return parseTokenExtension(kind, instruction, reader) ?? parseTokenInterface(instruction);
}

type TokenParser = (instruction: PlainInstruction, reader: ByteReader) => ParsedInstruction;

/** Indexed by kind. */
const PARSERS: readonly TokenParser[] = [
  (ix, reader) => ({
    type: 'initializeMint',
    info: { ...nameAccounts(ix, 'mint', 'rentSysvar'), ...newMint(reader) },
  }),
  (ix) => ({ type: 'initializeAccount', info: nameAccounts(ix, 'account', 'mint', 'owner', 'rentSysvar') }),
  (ix, reader) => initializeMultisig('initializeMultisig', ['multisig', 'rentSysvar'], ix, reader),
  (ix, reader) => moved('transfer', ['source', 'destination'], AUTHORITY, ix, reader),
  (ix, reader) => moved('approve', ['source', 'delegate'], OWNER, ix, reader),
  (ix) => ({ type: 'revoke', info: nameAccountsWithAuthority(ix, ['source'], OWNER) }),
  setAuthority,
  (ix, reader) => moved('mintTo', ['mint', 'account'], MINT_AUTHORITY, ix, reader),
  (ix, reader) => moved('burn', ['account', 'mint'], AUTHORITY, ix, reader),
  (ix) => ({ type: 'closeAccount', info: nameAccountsWithAuthority(ix, ['account', 'destination'], OWNER) }),
  (ix) => ({
    type: 'freezeAccount',
    info: nameAccountsWithAuthority(ix, ['account', 'mint'], FREEZE_AUTHORITY),
  }),
  (ix) => ({
    type: 'thawAccount',
    info: nameAccountsWithAuthority(ix, ['account', 'mint'], FREEZE_AUTHORITY),
  }),
  (ix, reader) => checked('transferChecked', ['source', 'mint', 'destination'], AUTHORITY, ix, reader),
  (ix, reader) => checked('approveChecked', ['source', 'mint', 'delegate'], OWNER, ix, reader),
  (ix, reader) => checked('mintToChecked', ['mint', 'account'], MINT_AUTHORITY, ix, reader),
  (ix, reader) => checked('burnChecked', ['account', 'mint'], AUTHORITY, ix, reader),
  (ix, reader) => ({
    type: 'initializeAccount2',
    info: { ...nameAccounts(ix, 'account', 'mint', 'rentSysvar'), owner: reader.address() },
  }),
  (ix) => ({ type: 'syncNative', info: nameAccounts(ix, 'account') }),
  (ix, reader) => ({
    type: 'initializeAccount3',
    info: { ...nameAccounts(ix, 'account', 'mint'), owner: reader.address() },
  }),
  (ix, reader) => initializeMultisig('initializeMultisig2', ['multisig'], ix, reader),
  (ix, reader) => ({ type: 'initializeMint2', info: { ...nameAccounts(ix, 'mint'), ...newMint(reader) } }),
  (ix, reader) => {
    const types = readExtensionTypes(reader);
    const sized = types.length === 0 ? {} : { extensionTypes: types };
    return { type: 'getAccountDataSize', info: { ...nameAccounts(ix, 'mint'), ...sized } };
  },
  (ix) => ({ type: 'initializeImmutableOwner', info: nameAccounts(ix, 'account') }),
  (ix, reader) => ({
    type: 'amountToUiAmount',
    info: { ...nameAccounts(ix, 'mint'), amount: reader.u64().toString() },
  }),
  (ix, reader) => ({
    type: 'uiAmountToAmount',
    info: { ...nameAccounts(ix, 'mint'), uiAmount: decodeUtf8(reader.bytes(reader.remaining)) },
  }),
];

function newMint(reader: ByteReader) {
  const decimals = reader.u8();
  const mintAuthority = reader.address();
  const freezeAuthority = readTaggedAddress(reader) ?? undefined;
  return { decimals, mintAuthority, freezeAuthority };
}

function initializeMultisig(
  type: string,
  names: readonly string[],
  ix: PlainInstruction,
  reader: ByteReader,
): ParsedInstruction {
  const accounts = nameAccounts(ix, ...names);
  const signers = ix.accounts.slice(names.length);
  if (signers.length === 0) reader.fail('a multisig without signers');
  return { type, info: { ...accounts, signers, m: reader.u8() } };
}

function moved(
  type: string,
  names: readonly string[],
  signer: AuthorityNames,
  ix: PlainInstruction,
  reader: ByteReader,
): ParsedInstruction {
  const amount = reader.u64().toString();
  return { type, info: { ...nameAccountsWithAuthority(ix, names, signer), amount } };
}

/** Parses a checked instruction. Amounts are formatted with the decimals in the instruction itself. */
function checked(
  type: string,
  names: readonly string[],
  signer: AuthorityNames,
  ix: PlainInstruction,
  reader: ByteReader,
): ParsedInstruction {
  const amount = reader.u64();
  const tokenAmount = toUiTokenAmount(amount, { decimals: reader.u8(), scale: null });
  return { type, info: { ...nameAccountsWithAuthority(ix, names, signer), tokenAmount } };
}

function setAuthority(ix: PlainInstruction, reader: ByteReader): ParsedInstruction {
  const kind = reader.u8();
  const authorityType = AUTHORITY_TYPES[kind];
  if (authorityType === undefined) return reader.fail(`unknown authority ${kind}`);
  const owned = AUTHORITIES_OF_ACCOUNTS.has(authorityType) ? 'account' : 'mint';
  const newAuthority = readTaggedAddress(reader);
  return {
    type: 'setAuthority',
    info: { ...nameAccountsWithAuthority(ix, [owned], AUTHORITY), authorityType, newAuthority },
  };
}

/** Parses a batch. Each inner instruction has its number of accounts, its length and its bytes. */
function batch(ix: PlainInstruction, reader: ByteReader): ParsedInstruction {
  const instructions: ParsedInstruction[] = [];
  let used = 0;
  while (reader.remaining > 0) {
    const count = reader.u8();
    const data = reader.bytes(reader.u8());
    if (data[0] === BATCH || used + count > ix.accounts.length) reader.fail('a malformed batch');
    instructions.push(
      parseToken({ program: ix.program, accounts: ix.accounts.slice(used, used + count), data }),
    );
    used += count;
  }
  return { type: 'batch', info: { instructions } };
}
