import type { Commitment } from '../../../chain.ts';
import type { Bank } from '../../ledger/bank.ts';
import { ACCOUNT_ENCODINGS, type AccountEncoding, type AccountFormat, type DataSlice } from './account.ts';
import { invalidParams, minContextSlotNotReached } from '../../../json-rpc/rpc-errors.ts';
import {
  type ParamName,
  createEnumReader,
  readOptionalParam,
  type ParamReader,
  readBoolean,
  readCommitment,
  readObject,
  readSize,
  readString,
  readU64,
} from './params.ts';

/** A configuration object. Unknown members are ignored, as on the public interface. */
export type ConfigFields = Readonly<Record<string, unknown>>;

const NO_FIELDS: ConfigFields = {};

/** Reads the object at `name`, or returns an empty one when it is absent. */
export function readFields(value: unknown, name: ParamName = 'config'): ConfigFields {
  return readOptionalParam(value, name, readObject) ?? NO_FIELDS;
}

/** Reads an own member of the object. Returns `undefined` when it is absent or null. */
export function readConfigField<T>(
  fields: ConfigFields,
  key: string,
  read: ParamReader<T>,
  name: ParamName = `config.${key}`,
): T | undefined {
  return Object.hasOwn(fields, key) ? readOptionalParam(fields[key], name, read) : undefined;
}

export function readConfigFlag(fields: ConfigFields, key: string): boolean {
  return readConfigField(fields, key, readBoolean) ?? false;
}

export function getCommitment(fields: ConfigFields): Commitment {
  return readConfigField(fields, 'commitment', readCommitment) ?? 'finalized';
}

/** Reads the commitment of methods that read the ledger, which only has confirmed transactions. */
export function getLedgerCommitment(fields: ConfigFields): 'confirmed' | 'finalized' {
  const commitment = getCommitment(fields);
  if (commitment === 'processed') throw invalidParams('the method supports no commitment below confirmed');
  return commitment;
}

/**
 * Reads the commitment.
 *
 * @throws RpcError -32016 when its newest slot is older than `minContextSlot`.
 */
export function readReachedCommitment(bank: Bank, fields: ConfigFields): Commitment {
  const commitment = getCommitment(fields);
  requireMinContextSlot(bank, fields, commitment);
  return commitment;
}

export function requireMinContextSlot(bank: Bank, fields: ConfigFields, commitment: Commitment): void {
  const least = readConfigField(fields, 'minContextSlot', readU64);
  if (least === undefined) return;
  const slot = bank.slot(commitment);
  if (slot < least) throw minContextSlotNotReached(slot);
}

export function getAccountFormat(fields: ConfigFields, otherwise: AccountEncoding): AccountFormat {
  return {
    encoding: readConfigField(fields, 'encoding', createEnumReader(ACCOUNT_ENCODINGS)) ?? otherwise,
    slice: readConfigField(fields, 'dataSlice', readDataSlice) ?? null,
  };
}

function readDataSlice(value: unknown, name: ParamName): DataSlice {
  const { offset, length } = readObject(value, name);
  return { offset: readSize(offset, `${name}.offset`), length: readSize(length, `${name}.length`) };
}

/** The encodings of transactions. `binary` is the oldest form: base58 text alone. */
export type TransactionEncoding = 'binary' | 'base58' | 'base64' | 'json' | 'jsonParsed';

export const readTransactionEncoding: ParamReader<TransactionEncoding> = createEnumReader([
  'binary',
  'base58',
  'base64',
  'json',
  'jsonParsed',
]);

/** Reads a configuration object, for methods that also accept an encoding in its place. */
export function readFieldsOrEncoding(value: unknown, name: ParamName = 'config'): ConfigFields {
  return typeof value === 'string' ? { encoding: readString(value, name) } : readFields(value, name);
}
