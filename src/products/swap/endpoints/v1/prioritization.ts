import { formatForError } from '../../../../common/format-for-error.ts';
import { minimum, U64_MAX } from '../../../../solana/units.ts';
import { SwapRefused } from '../../../../swaps/refusals.ts';
import { PRICE_LEVELS, readAddress } from '../swap-parameters.ts';
import type {
  SwapPriorityFee,
  SwapTip,
  Prioritization,
} from '../../../../swaps/quoted-swaps/swap-request.ts';
import type { SwapBody } from './swap-request.ts';

const AUTOMATIC = feeOnly({ kind: 'auto', times: 1n });
const FIELD = 'prioritizationFeeLamports';
/** The automatic fee is bounded, so a larger multiplier would change nothing. */
const MAX_TIMES = 1_000_000n;

/**
 * Parses the priority fee or tip that a swap is to pay.
 * @throws SwapRefused for an unknown form or an invalid amount
 */
export function parsePrioritization(body: SwapBody): Prioritization {
  const { prioritizationFeeLamports: given, computeUnitPriceMicroLamports: price } = body;
  if (price !== undefined && price !== null) {
    if (given !== undefined && given !== null) {
      throw new SwapRefused(
        `computeUnitPriceMicroLamports and ${FIELD} exclude each other; give one of them`,
        'INVALID_COMPUTE_UNIT_PRICE_AND_PRIORITIZATION_FEE',
      );
    }
    if (price === 'auto') return AUTOMATIC;
    const microLamports = amount('computeUnitPriceMicroLamports', price);
    return feeOnly({ kind: 'unit-price', microLamports });
  }
  if (given === undefined || given === null || given === 'auto') return AUTOMATIC;
  if (given === 'disabled') return feeOnly({ kind: 'exact', lamports: 0n });
  if (typeof given === 'number') return feeOnly({ kind: 'exact', lamports: amount(FIELD, given) });
  return prioritizationObject(given);
}

function feeOnly(fee: SwapPriorityFee): Prioritization {
  return { fee, tip: null };
}

/** With swap v1, a tip is paid instead of a priority fee. */
function tipOnly(tip: SwapTip): Prioritization {
  return { fee: null, tip };
}

function prioritizationObject(given: unknown): Prioritization {
  // Clients with fixed structures send null for the members that they do not use.
  const members = isRecord(given) ? Object.entries(given).filter(([, value]) => value !== null) : [];
  const [[name, value] = [undefined, undefined], ...others] = members;
  if (others.length === 0) {
    if (name === 'autoMultiplier')
      return feeOnly({ kind: 'auto', times: amount(`${FIELD}.${name}`, value, MAX_TIMES) });
    if (name === 'jitoTipLamports') {
      return tipOnly({ lamports: amount(`${FIELD}.${name}`, value), payer: null });
    }
    if (name === 'jitoTipLamportsWithPayer') return tipWithPayer(requireFields(name, value));
    if (name === 'priorityLevelWithMaxLamports') return level(requireFields(name, value));
  }
  throw new SwapRefused(
    `${FIELD} must be lamports, "auto", "disabled", or an object with just one of ` +
      `priorityLevelWithMaxLamports, jitoTipLamports, jitoTipLamportsWithPayer and autoMultiplier, got ${formatForError(given)}`,
  );
}

function tipWithPayer(fields: Readonly<Record<string, unknown>>): Prioritization {
  const name = `${FIELD}.jitoTipLamportsWithPayer`;
  checkFields(name, fields, ['lamports', 'payer']);
  const payer = typeof fields.payer === 'string' ? fields.payer : formatForError(fields.payer);
  return tipOnly({
    lamports: amount(`${name}.lamports`, fields.lamports),
    payer: readAddress(payer, `${name}.payer`),
  });
}

function level(fields: Readonly<Record<string, unknown>>): Prioritization {
  const name = `${FIELD}.priorityLevelWithMaxLamports`;
  checkFields(name, fields, ['priorityLevel', 'maxLamports', 'global']);
  const percentile = PRICE_LEVELS.get(fields.priorityLevel);
  if (percentile === undefined) {
    const known = [...PRICE_LEVELS.keys()].join(', ');
    throw new SwapRefused(
      `${name}.priorityLevel must be one of ${known}, got ${formatForError(fields.priorityLevel)}`,
    );
  }
  const global = fields.global ?? false;
  if (typeof global !== 'boolean') {
    throw new SwapRefused(`${name}.global must be true or false, got ${formatForError(global)}`);
  }
  return feeOnly({
    kind: 'level',
    percentile,
    maxLamports: amount(`${name}.maxLamports`, fields.maxLamports),
    global,
  });
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

/** JSON numbers round the largest integers of 64 bits up to 2^64. */
function amount(name: string, value: unknown, max: bigint = U64_MAX): bigint {
  const given = typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : -1n;
  if (given < 0n || given > max + (max === U64_MAX ? 1n : 0n)) {
    throw new SwapRefused(`${name} must be a whole number from 0 to ${max}, got ${formatForError(value)}`);
  }
  return minimum(given, max);
}

function requireFields(name: string, value: unknown): Readonly<Record<string, unknown>> {
  if (isRecord(value)) return value;
  throw new SwapRefused(`${FIELD}.${name} must be an object, got ${formatForError(value)}`);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
