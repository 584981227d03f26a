import type { Commitment } from '../../chain.ts';
import type { Bank } from '../ledger/bank.ts';
import {
  ACCOUNT_ENCODINGS,
  type AccountEncoding,
  type AccountFormat,
  type DataSlice,
} from './encoding/account.ts';
import { invalidParams, minContextSlotNotReached } from './errors.ts';
import {
  type Name,
  oneOf,
  optional,
  type Reader,
  readBoolean,
  readCommitment,
  readObject,
  readSize,
  readString,
  readU64,
} from './params.ts';

/** A configuration object; members that a method does not know are passed over, as on the public interface. */
export type Fields = Readonly<Record<string, unknown>>;

const NO_FIELDS: Fields = {};

/** The object at `name`, or an empty one when it is absent. */
export function readFields(value: unknown, name: Name = 'config'): Fields {
  return optional(value, name, readObject) ?? NO_FIELDS;
}

/** A member, or `undefined` when it is absent or null. Names are own members only, never those of the prototype. */
export function field<T>(
  fields: Fields,
  key: string,
  read: Reader<T>,
  name: Name = `config.${key}`,
): T | undefined {
  return Object.hasOwn(fields, key) ? optional(fields[key], name, read) : undefined;
}

export function flag(fields: Fields, key: string): boolean {
  return field(fields, key, readBoolean) ?? false;
}

export function commitmentOf(fields: Fields): Commitment {
  return field(fields, 'commitment', readCommitment) ?? 'finalized';
}

/** For methods that read the ledger, which holds only what is confirmed. */
export function ledgerCommitmentOf(fields: Fields): 'confirmed' | 'finalized' {
  const commitment = commitmentOf(fields);
  if (commitment === 'processed') throw invalidParams('the method supports no commitment below confirmed');
  return commitment;
}

/** The commitment asked for; throws -32016 when its newest slot is older than `minContextSlot`. */
export function reachedCommitment(bank: Bank, fields: Fields): Commitment {
  const commitment = commitmentOf(fields);
  requireMinContextSlot(bank, fields, commitment);
  return commitment;
}

export function requireMinContextSlot(bank: Bank, fields: Fields, commitment: Commitment): void {
  const least = field(fields, 'minContextSlot', readU64);
  if (least === undefined) return;
  const slot = bank.slot(commitment);
  if (slot < least) throw minContextSlotNotReached(slot);
}

export function accountFormatOf(fields: Fields, otherwise: AccountEncoding): AccountFormat {
  return {
    encoding: field(fields, 'encoding', oneOf(ACCOUNT_ENCODINGS)) ?? otherwise,
    slice: field(fields, 'dataSlice', readDataSlice) ?? null,
  };
}

function readDataSlice(value: unknown, name: Name): DataSlice {
  const { offset, length } = readObject(value, name);
  return { offset: readSize(offset, `${name}.offset`), length: readSize(length, `${name}.length`) };
}

/** How transactions are written to clients. `binary` is the oldest form: base58 text alone. */
export type TransactionEncoding = 'binary' | 'base58' | 'base64' | 'json' | 'jsonParsed';

export const readTransactionEncoding: Reader<TransactionEncoding> = oneOf([
  'binary',
  'base58',
  'base64',
  'json',
  'jsonParsed',
]);

/** Some methods take an encoding alone where they now take an object with one. */
export function readFieldsOrEncoding(value: unknown, name: Name = 'config'): Fields {
  return typeof value === 'string' ? { encoding: readString(value, name) } : readFields(value, name);
}
