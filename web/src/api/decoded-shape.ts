import { shape } from '../base/json-shape.ts';
import type { DecodedTransaction } from './decoded-transaction.ts';

const { text, flag, number, list, nullable, object } = shape;
/** Amounts are texts of digits, so that none is rounded. */
const amount = (value: unknown): string => shape.whole(value).toString();

const unit = object({ mint: text, symbol: nullable(text), decimals: number });
const field = object({ name: text, value: text, unit: nullable(unit) });
const account = object({
  address: text,
  label: nullable(text),
  role: nullable(text),
  signer: flag,
  writable: flag,
});
const instruction = object({
  program: text,
  programLabel: nullable(text),
  name: nullable(text),
  fields: list(field),
  accounts: list(account),
  data: text,
  depth: number,
});
const balance = object({
  account: text,
  owner: text,
  label: nullable(text),
  mint: text,
  symbol: nullable(text),
  decimals: number,
  native: flag,
  before: amount,
  after: amount,
});
const failure = object({
  kind: text,
  sentence: text,
  instruction: nullable(number),
  call: nullable(number),
  program: nullable(text),
  programLabel: nullable(text),
  code: nullable(number),
  name: nullable(text),
  meaning: nullable(text),
  logLine: nullable(number),
  facts: list(field),
  advice: text,
});
const trace = object({
  program: text,
  depth: number,
  instruction: nullable(number),
  call: nullable(number),
  firstLine: number,
  lastLine: number,
  units: nullable(number),
  unitsLeft: nullable(number),
  outcome: (value: unknown) => (value === 'success' || value === 'failed' ? value : 'unfinished'),
});
const event = object({
  program: text,
  programLabel: nullable(text),
  name: nullable(text),
  fields: list(field),
  data: text,
  logLine: number,
});
const result = object({
  slot: number,
  blockTime: nullable(number),
  error: nullable(text),
  errorText: nullable(text),
  failure: nullable(failure),
  feeLamports: amount,
  unitsConsumed: nullable(number),
  logs: list(text),
  inner: list(object({ index: number, instructions: list(instruction) })),
  balances: list(balance),
  trace: list(trace),
  events: list(event),
  returned: nullable(object({ program: text, programLabel: nullable(text), data: text })),
});

/**
 * Reads the answer of `POST /portal/data/decode`, which may come from another version of the server.
 * @throws ShapeError if it has another form
 */
export const readDecodedTransaction: (value: unknown) => DecodedTransaction = object({
  version: (value: unknown) => (value === 'legacy' ? 'legacy' : 0) as DecodedTransaction['version'],
  signature: nullable(text),
  feePayer: text,
  blockhash: text,
  signers: list(object({ address: text, label: nullable(text), signed: flag })),
  computeUnitLimit: nullable(number),
  computeUnitPriceMicroLamports: nullable(amount),
  lookupTables: list(text),
  bytes: number,
  instructions: list(instruction),
  result: nullable(result),
});
