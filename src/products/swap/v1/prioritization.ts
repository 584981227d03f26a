import { formatForError } from '../../../common/format-for-error.ts';
import type { Address } from '../../../solana/address.ts';
import { MAX_COMPUTE_UNITS } from '../../../solana/programs/compute-budget.ts';
import { type Bps, bps } from '../../../solana/units.ts';
import { SwapRefused } from '../errors.ts';
import { least, type PriorityFee, priorityFee } from '../../../transactions/priority-fee.ts';
import { requiredAddress } from '../query.ts';
import type { SwapBody } from './schema.ts';

/** What is paid to be included sooner. */
export type Prioritization =
  /** So many times what recent transactions pay. */
  | { readonly kind: 'auto'; readonly times: bigint }
  | { readonly kind: 'exact'; readonly lamports: bigint }
  /** What so many of the recent transactions pay at most, bounded; `global` looks at all, not at the same accounts. */
  | {
      readonly kind: 'level';
      readonly percentile: Bps;
      readonly maxLamports: bigint;
      readonly global: boolean;
    }
  | { readonly kind: 'unit-price'; readonly microLamports: bigint }
  /** Instead of a priority fee; a null payer is the transaction's. */
  | { readonly kind: 'tip'; readonly lamports: bigint; readonly payer: Address | null };

const AUTOMATIC: Prioritization = { kind: 'auto', times: 1n };
const FIELD = 'prioritizationFeeLamports';
const LEVELS: ReadonlyMap<unknown, Bps> = new Map([
  ['medium', bps(2_500)],
  ['high', bps(5_000)],
  ['veryHigh', bps(7_500)],
]);
/** What others pay at most, when nothing is said. */
const AUTOMATIC_PERCENTILE = bps(7_500);
/** Ten SOL: more for one transaction is a slip of the finger. */
const MAX_LAMPORTS = 10_000_000_000;
/** What is paid automatically is bounded as it is, so more times than this change nothing. */
const MAX_TIMES = 1_000_000;
const MICRO_LAMPORTS = 1_000_000n;
const MAX_UNIT_PRICE = (BigInt(MAX_LAMPORTS) * MICRO_LAMPORTS) / BigInt(MAX_COMPUTE_UNITS);

/** @throws SwapRefused for a form or an amount that it does not know. */
export function parsePrioritization(body: SwapBody): Prioritization {
  const { prioritizationFeeLamports: given, computeUnitPriceMicroLamports: price } = body;
  if (price !== undefined && price !== null) {
    if (given !== undefined && given !== null) {
      throw new SwapRefused(
        `computeUnitPriceMicroLamports and ${FIELD} exclude each other; give one of them`,
      );
    }
    if (price === 'auto') return AUTOMATIC;
    const microLamports = lamports('computeUnitPriceMicroLamports', price, Number(MAX_UNIT_PRICE));
    return { kind: 'unit-price', microLamports };
  }
  if (given === undefined || given === null || given === 'auto') return AUTOMATIC;
  if (given === 'disabled') return { kind: 'exact', lamports: 0n };
  if (typeof given === 'number') return { kind: 'exact', lamports: lamports(FIELD, given) };
  return prioritizationObject(given);
}

function prioritizationObject(given: unknown): Prioritization {
  // Clients with fixed structures write null for the members that they do not use.
  const members = isRecord(given) ? Object.entries(given).filter(([, value]) => value !== null) : [];
  const [[name, value] = [undefined, undefined], ...others] = members;
  if (others.length === 0) {
    if (name === 'autoMultiplier')
      return { kind: 'auto', times: lamports(`${FIELD}.${name}`, value, MAX_TIMES) };
    if (name === 'jitoTipLamports') {
      return { kind: 'tip', lamports: lamports(`${FIELD}.${name}`, value), payer: null };
    }
    if (name === 'jitoTipLamportsWithPayer') return tipWithPayer(fieldsOf(name, value));
    if (name === 'priorityLevelWithMaxLamports') return level(fieldsOf(name, value));
  }
  throw new SwapRefused(
    `${FIELD} must be lamports, "auto", "disabled", or an object with just one of ` +
      `priorityLevelWithMaxLamports, jitoTipLamports, jitoTipLamportsWithPayer and autoMultiplier, got ${formatForError(given)}`,
  );
}

/** The percentile of recent prices that decides, and whether those of all transactions do. */
export function pricesLookedAt(asked: Prioritization): {
  readonly percentile: Bps;
  readonly global: boolean;
} {
  return asked.kind === 'level' ? asked : { percentile: AUTOMATIC_PERCENTILE, global: false };
}

/** `recent` is the price at that percentile, in micro-lamports; `limit` the transaction's compute units. */
export function feeFor(asked: Prioritization, recent: bigint, limit: number): PriorityFee {
  const costs = (price: bigint) => (price * BigInt(limit) + MICRO_LAMPORTS - 1n) / MICRO_LAMPORTS;
  switch (asked.kind) {
    case 'tip':
      return { price: 0n, lamports: 0n };
    case 'unit-price':
      return { price: asked.microLamports, lamports: costs(asked.microLamports) };
    case 'exact':
      return priorityFee({ lamports: asked.lamports, kind: 'exactFee' }, recent, limit);
    case 'level':
      return priorityFee(
        { lamports: least(costs(recent), asked.maxLamports), kind: 'exactFee' },
        recent,
        limit,
      );
    case 'auto':
      return priorityFee(null, recent * asked.times, limit);
  }
}

function tipWithPayer(fields: Readonly<Record<string, unknown>>): Prioritization {
  const name = `${FIELD}.jitoTipLamportsWithPayer`;
  checkFields(name, fields, ['lamports', 'payer']);
  const payer = typeof fields.payer === 'string' ? fields.payer : formatForError(fields.payer);
  return {
    kind: 'tip',
    lamports: lamports(`${name}.lamports`, fields.lamports),
    payer: requiredAddress({ [`${name}.payer`]: payer }, `${name}.payer`),
  };
}

function level(fields: Readonly<Record<string, unknown>>): Prioritization {
  const name = `${FIELD}.priorityLevelWithMaxLamports`;
  checkFields(name, fields, ['priorityLevel', 'maxLamports', 'global']);
  const percentile = LEVELS.get(fields.priorityLevel);
  if (percentile === undefined) {
    const known = [...LEVELS.keys()].join(', ');
    throw new SwapRefused(
      `${name}.priorityLevel must be one of ${known}, got ${formatForError(fields.priorityLevel)}`,
    );
  }
  const global = fields.global ?? false;
  if (typeof global !== 'boolean') {
    throw new SwapRefused(`${name}.global must be true or false, got ${formatForError(global)}`);
  }
  return {
    kind: 'level',
    percentile,
    maxLamports: lamports(`${name}.maxLamports`, fields.maxLamports),
    global,
  };
}

function checkFields(
  name: string,
  fields: Readonly<Record<string, unknown>>,
  known: readonly string[],
): void {
  const unknown = Object.keys(fields).find((field) => !known.includes(field));
  if (unknown !== undefined) {
    throw new SwapRefused(`${name} has the field ${formatForError(unknown)}; known are ${known.join(', ')}`);
  }
}

function lamports(name: string, value: unknown, most = MAX_LAMPORTS): bigint {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > most) {
    throw new SwapRefused(`${name} must be a whole number from 0 to ${most}, got ${formatForError(value)}`);
  }
  return BigInt(value);
}

function fieldsOf(name: string, value: unknown): Readonly<Record<string, unknown>> {
  if (isRecord(value)) return value;
  throw new SwapRefused(`${FIELD}.${name} must be an object, got ${formatForError(value)}`);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
