import type { Address } from '../../../../../solana/address.ts';
import { LayoutInvalid } from '../../../../../solana/codec/byte-reader.ts';
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  ASSOCIATED_TOKEN_PROGRAM,
  BPF_LOADER_UPGRADEABLE,
  MEMO_PROGRAM,
  MEMO_PROGRAM_V1,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../../../solana/program-addresses.ts';
import { parseAssociatedToken } from './associated-token.ts';
import { decodeUtf8, type ParsedInstruction, type PlainInstruction } from './instruction.ts';
import { parseLookupTableInstruction } from './lookup-table.ts';
import { parseSystem } from './system.ts';
import { parseToken } from './token.ts';
import { parseUpgradeableLoaderInstruction } from './upgradeable-loader.ts';

/** A memo's `parsed` member is its text. */
type ProgramParser = (instruction: PlainInstruction) => ParsedInstruction | string;

interface Program {
  /** The program's name on the public interface. */
  readonly name: string;
  readonly parse: ProgramParser;
}

const TOKEN: Program = { name: 'spl-token', parse: parseToken };
const MEMO: Program = { name: 'spl-memo', parse: ({ data }) => decodeUtf8(data) };

/** A new program is one line here. Instructions of other programs are reported with their accounts and data. */
const PROGRAMS: ReadonlyMap<Address, Program> = new Map<Address, Program>([
  [SYSTEM_PROGRAM, { name: 'system', parse: parseSystem }],
  [TOKEN_PROGRAM, TOKEN],
  [TOKEN_2022_PROGRAM, TOKEN],
  [ASSOCIATED_TOKEN_PROGRAM, { name: 'spl-associated-token-account', parse: parseAssociatedToken }],
  [MEMO_PROGRAM_V1, MEMO],
  [MEMO_PROGRAM, MEMO],
  [ADDRESS_LOOKUP_TABLE_PROGRAM, { name: 'address-lookup-table', parse: parseLookupTableInstruction }],
  [BPF_LOADER_UPGRADEABLE, { name: 'bpf-upgradeable-loader', parse: parseUpgradeableLoaderInstruction }],
]);

/** Parses an instruction for `jsonParsed`. Returns null when its program or layout is unknown. */
export function parseInstruction(
  instruction: PlainInstruction,
): { readonly program: string; readonly parsed: ParsedInstruction | string } | null {
  const program = PROGRAMS.get(instruction.program);
  if (program === undefined) return null;
  try {
    return { program: program.name, parsed: program.parse(instruction) };
  } catch (error) {
    if (error instanceof LayoutInvalid) return null;
    throw error;
  }
}
