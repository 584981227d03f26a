import type { Address } from '../../solana/address.ts';
import { type ByteReader, LayoutInvalid } from '../../solana/codec/byte-reader.ts';
import type { DeclaredType, IdlField, IdlType } from '../../solana/programs/idl/idl.ts';

/** The value of an argument: numbers as bigint, bytes in hexadecimal, and structs by the names of their fields. */
export type ArgumentValue =
  | bigint
  | boolean
  | string
  | null
  | readonly ArgumentValue[]
  | { readonly [field: string]: ArgumentValue }
  | ArgumentVariant;

/** A variant of an enum, and its fields. */
export class ArgumentVariant {
  readonly variant: string;
  readonly fields: { readonly [field: string]: ArgumentValue };

  constructor(variant: string, fields: { readonly [field: string]: ArgumentValue }) {
    this.variant = variant;
    this.fields = fields;
  }
}

/** Types refer to each other, and hostile data could lead from one to the next. No interface of a program nests deeper. */
const MAX_DEPTH = 8;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads one argument of an instruction, in Borsh.
 *
 * @param types - The types that `type` may name.
 * @throws LayoutInvalid when the data ends early or does not have the type.
 */
export function readArgument(
  reader: ByteReader,
  type: IdlType,
  types: readonly DeclaredType[],
  depth = 0,
): ArgumentValue {
  if (depth > MAX_DEPTH) throw new LayoutInvalid(`types are nested deeper than ${MAX_DEPTH}`);
  if (typeof type === 'string') return READERS[type](reader);
  if ('vec' in type) return readMany(reader, type.vec, reader.u32(), types, depth);
  if ('array' in type) return readMany(reader, type.array[0], type.array[1], types, depth);
  if ('option' in type) return reader.bool() ? readArgument(reader, type.option, types, depth + 1) : null;
  const declared = types.find(({ name }) => name === type.defined.name);
  if (declared === undefined) throw new LayoutInvalid(`the type ${type.defined.name} is not declared`);
  return readDeclared(reader, declared, types, depth);
}

const READERS: Readonly<Record<Extract<IdlType, string>, (reader: ByteReader) => ArgumentValue>> = {
  bool: (reader) => reader.bool(),
  u8: (reader) => BigInt(reader.u8()),
  i8: (reader) => BigInt.asIntN(8, BigInt(reader.u8())),
  u16: (reader) => BigInt(reader.u16()),
  i16: (reader) => BigInt(reader.i16()),
  u32: (reader) => BigInt(reader.u32()),
  i32: (reader) => BigInt(reader.i32()),
  u64: (reader) => reader.u64(),
  i64: (reader) => reader.i64(),
  u128: (reader) => reader.u128(),
  i128: (reader) => reader.i128(),
  bytes: (reader) => Buffer.from(reader.bytes(reader.u32())).toString('hex'),
  string: readText,
  pubkey: (reader): Address => reader.address(),
};

function readText(reader: ByteReader): string {
  const bytes = reader.bytes(reader.u32());
  try {
    return utf8.decode(bytes);
  } catch {
    return reader.fail('a text is not UTF-8');
  }
}

/** An item may take no bytes, so the count is bounded by the bytes that are left before any is read. */
function readMany(
  reader: ByteReader,
  type: IdlType,
  count: number,
  types: readonly DeclaredType[],
  depth: number,
): readonly ArgumentValue[] {
  if (count > reader.remaining) reader.fail(`${count} items do not fit into ${reader.remaining} bytes`);
  const items: ArgumentValue[] = [];
  for (let read = 0; read < count; read++) items.push(readArgument(reader, type, types, depth + 1));
  return items;
}

function readDeclared(
  reader: ByteReader,
  { name, fields = [], variants }: DeclaredType,
  types: readonly DeclaredType[],
  depth: number,
): ArgumentValue {
  if (variants === undefined) return readFields(reader, fields, types, depth);
  const tag = reader.u8();
  const variant = variants[tag];
  if (variant === undefined) return reader.fail(`${name} has no variant ${tag}`);
  const [chosen, its = []] = variant;
  return new ArgumentVariant(chosen, readFields(reader, its, types, depth));
}

function readFields(
  reader: ByteReader,
  fields: readonly IdlField[],
  types: readonly DeclaredType[],
  depth: number,
): { readonly [field: string]: ArgumentValue } {
  const read: Record<string, ArgumentValue> = {};
  for (const [name, type] of fields) read[name] = readArgument(reader, type, types, depth + 1);
  return read;
}

/** Returns the value as a line of text. */
export function formatArgument(value: ArgumentValue): string {
  if (value === null) return 'none';
  if (typeof value !== 'object') return String(value);
  if (value instanceof ArgumentVariant) {
    const fields = formatFields(value.fields);
    return fields === '' ? value.variant : `${value.variant} (${fields})`;
  }
  if (isList(value)) return value.length === 0 ? 'none' : value.map(formatArgument).join('; ');
  return formatFields(value);
}

function formatFields(fields: { readonly [field: string]: ArgumentValue }): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name} ${formatArgument(value)}`)
    .join(', ');
}

function isList(value: ArgumentValue): value is readonly ArgumentValue[] {
  return Array.isArray(value);
}
