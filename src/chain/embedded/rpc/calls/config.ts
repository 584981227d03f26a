import type { Commitment } from '../../../chain.ts';
import type { Bank } from '../../ledger/bank.ts';
import { ACCOUNT_ENCODINGS, type AccountEncoding, type AccountFormat, type DataSlice } from './account.ts';
import { invalidParams, minContextSlotNotReached } from '../../../json-rpc/rpc-errors.ts';
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

/** A configuration object. Unknown members are ignored, as on the public interface. */
export type Fields = Readonly<Record<string, unknown>>;

const NO_FIELDS: Fields = {};

/** Reads the object at `name`, or returns an empty one when it is absent. */
export function readFields(value: unknown, name: Name = 'config'): Fields {
  return optional(value, name, readObject) ?? NO_FIELDS;
}

/** Reads an own member of the object. Returns `undefined` when it is absent or null. */
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

/** Reads the commitment of methods that read the ledger, which only has confirmed transactions. */
export function ledgerCommitmentOf(fields: Fields): 'confirmed' | 'finalized' {
  const commitment = commitmentOf(fields);
  if (commitment === 'processed') throw invalidParams('the method supports no commitment below confirmed');
  return commitment;
}

/**
 * Reads the commitment.
 *
 * @throws RpcError -32016 when its newest slot is older than `minContextSlot`.
 */
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

/** The encodings of transactions. `binary` is the oldest form: base58 text alone. */
export type TransactionEncoding = 'binary' | 'base58' | 'base64' | 'json' | 'jsonParsed';

export const readTransactionEncoding: Reader<TransactionEncoding> = oneOf([
  'binary',
  'base58',
  'base64',
  'json',
  'jsonParsed',
]);

/** Reads a configuration object, for methods that also accept an encoding in its place. */
export function readFieldsOrEncoding(value: unknown, name: Name = 'config'): Fields {
  return typeof value === 'string' ? { encoding: readString(value, name) } : readFields(value, name);
}
