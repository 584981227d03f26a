import { type Address, parseAddress } from '../../../../solana/address.ts';
import { decodeBase58Exactly } from '../../../../solana/encoding/base58.ts';
import { parseSignature } from '../../../../solana/messages/signature.ts';
import { U64_MAX } from '../../../../solana/units.ts';
import type { Commitment } from '../../../chain.ts';
import { invalidParams } from '../../../json-rpc/rpc-errors.ts';

/** The positional parameters of one call. */
export type Params = readonly unknown[];

/** The path of a value, for error messages: `pubkey`, `config.dataSlice.offset`. */
export type ParamName = string;

export type ParamReader<T> = (value: unknown, name: ParamName) => T;

const SHOWN = 64;

/** @throws RpcError -32602 when there are more parameters than the method takes. */
export function requireAtMost(params: Params, count: number): void {
  if (params.length > count) {
    const takes = count === 0 ? 'takes no parameters' : `takes at most ${count}`;
    throw invalidParams(`the method ${takes}, got ${params.length}`);
  }
}

/** Reads a value, or returns `undefined` when it is absent or null, which the public interface treats alike. */
export function readOptionalParam<T>(value: unknown, name: ParamName, read: ParamReader<T>): T | undefined {
  return value === undefined || value === null ? undefined : read(value, name);
}

export function readString(value: unknown, name: ParamName): string {
  if (typeof value !== 'string') throw wrong(name, value, 'a string');
  return value;
}

export function readBoolean(value: unknown, name: ParamName): boolean {
  if (typeof value !== 'boolean') throw wrong(name, value, 'a boolean');
  return value;
}

export function readU64(value: unknown, name: ParamName): bigint {
  const integer = typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof integer !== 'bigint' || integer < 0n || integer > U64_MAX) {
    throw wrong(name, value, `an integer from 0 to ${U64_MAX}`);
  }
  return integer;
}

/** Returns a reader of integers from `least` to `most`, which are safe integers. */
export function createIntegerReader(least: number, most: number): ParamReader<number> {
  return (value, name) => {
    const integer = typeof value === 'bigint' ? Number(value) : value;
    if (typeof integer !== 'number' || !Number.isSafeInteger(integer) || integer < least || integer > most) {
      throw wrong(name, value, `an integer from ${least} to ${most}`);
    }
    return integer;
  };
}

/** Reads a size or offset in bytes. No account reaches 4 GiB. */
export const readSize: ParamReader<number> = createIntegerReader(0, 0xffff_ffff);

export function readObject(value: unknown, name: ParamName): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrong(name, value, 'an object');
  return value as Readonly<Record<string, unknown>>;
}

export function readArray<T>(value: unknown, name: ParamName, most: number, read: ParamReader<T>): T[] {
  if (!Array.isArray(value)) throw wrong(name, value, 'an array');
  if (value.length > most) throw invalidParams(`too many ${name}: ${value.length}; max ${most}`);
  return value.map((element, index) => read(element, `${name}[${index}]`));
}

export function createEnumReader<const T extends string>(values: readonly T[]): ParamReader<T> {
  return (value, name) => {
    const found = values.find((one) => one === value);
    if (found === undefined) throw wrong(name, value, `one of ${values.join(', ')}`);
    return found;
  };
}

export function readAddress(value: unknown, name: ParamName): Address {
  const address = parseAddress(readString(value, name));
  if (address === null) throw wrong(name, value, 'an address: base58 of 32 bytes');
  return address;
}

/** Reads a blockhash, which has the form of an address. */
export function readBlockhash(value: unknown, name: ParamName): string {
  const text = readString(value, name);
  if (decodeBase58Exactly(text, 32) === null) throw wrong(name, value, 'a blockhash: base58 of 32 bytes');
  return text;
}

export function readSignature(value: unknown, name: ParamName): string {
  const text = readString(value, name);
  if (parseSignature(text) === null) throw wrong(name, value, 'a signature: base58 of 64 bytes');
  return text;
}

export const readCommitment: ParamReader<Commitment> = createEnumReader([
  'processed',
  'confirmed',
  'finalized',
]);

function wrong(name: ParamName, value: unknown, expected: string): Error {
  return invalidParams(`${name} must be ${expected}, got ${show(value)}`);
}

function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}… (${text.length} characters)` : text;
}
