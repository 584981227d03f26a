import { ByteReader } from '../../../../../solana/codec/byte-reader.ts';
import { toBase64 } from '../../encoding/base64.ts';
import { nameAccounts, type ParsedInstruction, type PlainInstruction } from './instruction.ts';

/** Parses the instructions of the upgradeable loader: bincode, with the kind as u32. */
export function parseUpgradeableLoaderInstruction(instruction: PlainInstruction): ParsedInstruction {
  const reader = new ByteReader(instruction.data, 'upgradeable loader instruction');
  const kind = reader.u32();
  const parse = PARSERS[kind];
  return parse === undefined ? reader.fail(`unknown kind ${kind}`) : parse(instruction, reader);
}

type LoaderParser = (instruction: PlainInstruction, reader: ByteReader) => ParsedInstruction;

const PARSERS: readonly LoaderParser[] = [
  (ix) => ({
    type: 'initializeBuffer',
    info: nameAccounts(ix, 'account', ...(ix.accounts.length > 1 ? ['authority'] : [])),
  }),
  (ix, reader) => ({
    type: 'write',
    info: { ...written(reader), ...nameAccounts(ix, 'account', 'authority') },
  }),
  (ix, reader) => ({
    type: 'deployWithMaxDataLen',
    info: {
      maxDataLen: reader.u64(),
      ...nameAccounts(
        ix,
        'payerAccount',
        'programDataAccount',
        'programAccount',
        'bufferAccount',
        'rentSysvar',
        'clockSysvar',
        'systemProgram',
        'authority',
      ),
    },
  }),
  (ix) => ({
    type: 'upgrade',
    info: nameAccounts(
      ix,
      'programDataAccount',
      'programAccount',
      'bufferAccount',
      'spillAccount',
      'rentSysvar',
      'clockSysvar',
      'authority',
    ),
  }),
  (ix) => ({
    type: 'setAuthority',
    info: { ...nameAccounts(ix, 'account', 'authority'), newAuthority: ix.accounts[2] ?? null },
  }),
  (ix) => ({
    type: 'close',
    info: {
      ...nameAccounts(ix, 'account', 'recipient', 'authority'),
      programAccount: ix.accounts[3] ?? null,
    },
  }),
  (ix, reader) => ({
    type: 'extendProgram',
    info: {
      additionalBytes: reader.u32(),
      ...nameAccounts(ix, 'programDataAccount', 'programAccount'),
      systemProgram: ix.accounts[2] ?? null,
      payerAccount: ix.accounts[3] ?? null,
    },
  }),
  (ix) => ({ type: 'setAuthorityChecked', info: nameAccounts(ix, 'account', 'authority', 'newAuthority') }),
];

function written(reader: ByteReader) {
  const offset = reader.u32();
  const length = reader.u64();
  if (length > BigInt(reader.remaining)) reader.fail(`${length} bytes to write`);
  return { offset, bytes: toBase64(reader.bytes(Number(length))) };
}
