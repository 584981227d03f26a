import type { LandedCall } from '../../chain/landed-transactions.ts';
import type {
  DescribedInstruction,
  ProgramInstructions,
} from '../../protocol/instructions/program-instructions.ts';
import {
  type ArgumentValue,
  formatArgument,
  readArgument,
} from '../../protocol/instructions/read-arguments.ts';
import type { Address } from '../../solana/address.ts';
import { ByteReader, LayoutInvalid } from '../../solana/codec/byte-reader.ts';
import type { EventReader } from './failure/logged-data.ts';
import { computeEventTag, computeInstructionTag } from '../../solana/programs/idl/idl.ts';
import { readSelfCalledEvent } from '../../solana/programs/self-called-event.ts';
import { NATIVE_LABELS, type ReadField, readNativeInstruction } from './native-instructions.ts';

/** An instruction by the names of its program. `name` is null if it is not known. */
export interface NamedInstruction {
  readonly name: string | null;
  readonly fields: readonly ReadField[];
  readonly roles: readonly string[];
}

/** Reads the names and fields of instructions. */
export interface InstructionReader {
  readonly findLabel: (program: Address) => string | null;
  readonly read: (call: LandedCall) => NamedInstruction;
  readonly readEvent: EventReader;
}

interface TaggedInstruction {
  readonly tag: Uint8Array;
  readonly described: DescribedInstruction;
}

interface KnownProgram {
  readonly described: ProgramInstructions;
  /** The longest tags first. */
  readonly instructions: readonly TaggedInstruction[];
}

const UNKNOWN: NamedInstruction = { name: null, fields: [], roles: [] };

/** Texts and lists of a transaction have some 1,200 bytes at most, but a call of a landed one may have 10 MB. */
const MAX_VALUE_LENGTH = 2_500;

/**
 * @param programs - The instructions that programs declare. Those of native programs that the embedded network parses are known
 *   without it.
 */
export function createInstructionReader(programs: readonly ProgramInstructions[]): InstructionReader {
  const known = new Map(programs.map((program) => [program.program, indexInstructions(program)]));
  const findLabel = (program: Address) =>
    NATIVE_LABELS.get(program) ?? known.get(program)?.described.label ?? null;
  return {
    findLabel,
    read: (call) => {
      const program = known.get(call.program);
      if (program === undefined) return readNativeInstruction(call) ?? UNKNOWN;
      return (
        readDeclared(call, program, findLabel) ?? readEvent(call, program.described, findLabel) ?? UNKNOWN
      );
    },
    readEvent: (program, data) => {
      const label = findLabel(program as Address);
      const described = known.get(program as Address)?.described;
      return { label, ...(described === undefined ? UNNAMED : readLoggedEvent(data, described)) };
    },
  };
}

const UNNAMED = { name: null, fields: [] } as const;
const TAG_BYTES = 8;

/** An event in the log begins with its discriminator, and has its fields after it. */
function readLoggedEvent(data: Uint8Array, { events = [], types = [] }: ProgramInstructions) {
  const name = events.find((each) => startsWith(data, computeEventTag(each)));
  if (name === undefined) return UNNAMED;
  const reader = new ByteReader(data, name, TAG_BYTES);
  const value = readPresent(() => readArgument(reader, { defined: { name } }, types));
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return {
    name,
    fields: entries.map(([field, each]) => ({ name: field, value: cut(formatArgument(each)), unit: null })),
  };
}

function indexInstructions(described: ProgramInstructions): KnownProgram {
  const instructions = described.instructions
    .map((each) => ({
      tag: each.tag === undefined ? computeInstructionTag(each.name) : Buffer.from(each.tag, 'hex'),
      described: each,
    }))
    .toSorted((one, other) => other.tag.length - one.tag.length);
  return { described, instructions };
}

function readDeclared(
  { data, accounts }: LandedCall,
  { described, instructions }: KnownProgram,
  findLabel: (program: Address) => string | null,
): NamedInstruction | null {
  const found = instructions.find(({ tag }) => startsWith(data, tag));
  if (found === undefined) return null;
  const { name, args = [], accounts: names = '' } = found.described;
  const reader = new ByteReader(data, name, found.tag.length);
  const values: Record<string, ArgumentValue> = {};
  // Programs have appended arguments over time, so those that are there are shown.
  for (const [argument, type] of args) {
    const value = readPresent(() => readArgument(reader, type, described.types ?? []));
    if (value === undefined) break;
    values[argument] = value;
  }
  const fields = args.flatMap(([argument, , unit]) => {
    const value = values[argument];
    if (value === undefined) return [];
    const chosen = typeof unit === 'function' ? unit(values) : unit;
    return presentArgument(described, argument, value, chosen, findLabel);
  });
  return { name, fields, roles: names === '' ? [] : names.split(' ').slice(0, accounts.length) };
}

function presentArgument(
  { present }: ProgramInstructions,
  name: string,
  value: ArgumentValue,
  unit: string | undefined,
  findLabel: (program: Address) => string | null,
): readonly ReadField[] {
  const presented = present?.(name, value, findLabel);
  if (presented != null) return presented;
  const text = cut(formatArgument(value));
  return [unit === undefined || value === null ? { name, value: text } : { name, value: text, unit }];
}

/** An event of Anchor is the data of a call that the program makes to itself. */
function readEvent(
  { data }: LandedCall,
  described: ProgramInstructions,
  findLabel: (program: Address) => string | null,
): NamedInstruction | null {
  const { events = [], types = [] } = described;
  const event = readSelfCalledEvent(data, 'event');
  if (event === null) return null;
  const name = events.find((each) => Buffer.from(computeEventTag(each)).toString('hex') === event.tag);
  if (name === undefined) return { name: 'event', fields: [], roles: ['event_authority'] };
  const value = readPresent(() => readArgument(event.fields, { defined: { name } }, types));
  const fields = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return {
    name: `event ${name}`,
    fields: fields.flatMap(([field, each]) => presentArgument(described, field, each, undefined, findLabel)),
    roles: ['event_authority'],
  };
}

function readPresent<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof LayoutInvalid) return undefined;
    throw error;
  }
}

function startsWith(data: Uint8Array, tag: Uint8Array): boolean {
  return data.length >= tag.length && tag.every((byte, at) => data[at] === byte);
}

function cut(text: string): string {
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
}
