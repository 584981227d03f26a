import { ByteReader } from '../../../../../solana/codec/byte-reader.ts';
import { decodeUtf8, nameAccounts, type ParsedInstruction, type PlainInstruction } from './instruction.ts';

/** Parses the instructions of the System program: bincode, with the kind as u32 and string lengths as u64. */
export function parseSystem(instruction: PlainInstruction): ParsedInstruction {
  const reader = new ByteReader(instruction.data, 'System instruction');
  const kind = reader.u32();
  const parse = PARSERS[kind];
  return parse === undefined ? reader.fail(`unknown kind ${kind}`) : parse(instruction, reader);
}

type SystemParser = (instruction: PlainInstruction, reader: ByteReader) => ParsedInstruction;

const PARSERS: readonly SystemParser[] = [
  (ix, reader) => ({
    type: 'createAccount',
    info: { ...nameAccounts(ix, 'source', 'newAccount'), ...funded(reader) },
  }),
  (ix, reader) => ({ type: 'assign', info: { ...nameAccounts(ix, 'account'), owner: reader.address() } }),
  (ix, reader) => ({
    type: 'transfer',
    info: { ...nameAccounts(ix, 'source', 'destination'), lamports: reader.u64() },
  }),
  (ix, reader) => ({
    type: 'createAccountWithSeed',
    info: { ...nameAccounts(ix, 'source', 'newAccount'), ...seeded(reader), ...funded(reader) },
  }),
  (ix) => ({
    type: 'advanceNonce',
    info: nameAccounts(ix, 'nonceAccount', 'recentBlockhashesSysvar', 'nonceAuthority'),
  }),
  (ix, reader) => ({
    type: 'withdrawFromNonce',
    info: {
      ...nameAccounts(
        ix,
        'nonceAccount',
        'destination',
        'recentBlockhashesSysvar',
        'rentSysvar',
        'nonceAuthority',
      ),
      lamports: reader.u64(),
    },
  }),
  (ix, reader) => ({
    type: 'initializeNonce',
    info: {
      ...nameAccounts(ix, 'nonceAccount', 'recentBlockhashesSysvar', 'rentSysvar'),
      nonceAuthority: reader.address(),
    },
  }),
  (ix, reader) => ({
    type: 'authorizeNonce',
    info: { ...nameAccounts(ix, 'nonceAccount', 'nonceAuthority'), newAuthorized: reader.address() },
  }),
  (ix, reader) => ({ type: 'allocate', info: { ...nameAccounts(ix, 'account'), space: reader.u64() } }),
  (ix, reader) => ({
    type: 'allocateWithSeed',
    info: {
      ...nameAccounts(ix, 'account'),
      ...seeded(reader),
      space: reader.u64(),
      owner: reader.address(),
    },
  }),
  (ix, reader) => ({
    type: 'assignWithSeed',
    info: { ...nameAccounts(ix, 'account'), ...seeded(reader), owner: reader.address() },
  }),
  (ix, reader) => ({
    type: 'transferWithSeed',
    info: {
      ...nameAccounts(ix, 'source', 'sourceBase', 'destination'),
      lamports: reader.u64(),
      sourceSeed: seed(reader),
      sourceOwner: reader.address(),
    },
  }),
  (ix) => ({ type: 'upgradeNonce', info: nameAccounts(ix, 'nonceAccount') }),
  createAccountAllowPrefund,
];

function funded(reader: ByteReader) {
  return { lamports: reader.u64(), space: reader.u64(), owner: reader.address() };
}

function seeded(reader: ByteReader) {
  return { base: reader.address(), seed: seed(reader) };
}

function seed(reader: ByteReader): string {
  const length = reader.u64();
  if (length > BigInt(reader.remaining)) reader.fail(`a seed of ${length} bytes`);
  return decodeUtf8(reader.bytes(Number(length)));
}

/** Includes a payer only when it pays something. */
function createAccountAllowPrefund(ix: PlainInstruction, reader: ByteReader): ParsedInstruction {
  const { lamports, space, owner } = funded(reader);
  const info =
    lamports === 0n
      ? { ...nameAccounts(ix, 'newAccount'), space, owner }
      : { ...nameAccounts(ix, 'newAccount', 'source'), lamports, space, owner };
  return { type: 'createAccountAllowPrefund', info };
}
