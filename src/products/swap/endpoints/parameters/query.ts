import { formatForError } from '../../../../common/format-for-error.ts';
import { type Address, parseAddress } from '../../../../solana/address.ts';
import { type Bps, bps } from '../../../../solana/units.ts';
import type { AmountBounds, IntegerBounds } from '../../../parameters.ts';
import { BPS_BOUNDS } from './parameter-bounds.ts';
import { type SwapRefusalCode, SwapRefused } from '../../../../swaps/refusals.ts';

/** A parsed query string: one value per name, or several when the name was repeated. */
export type Query = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Like all readers, names the parameter in its refusals, shows the value and says what would be right. */
export function getOptionalText(query: Query, name: string): string | undefined {
  const value = query[name];
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'string')
    throw new SwapRefused(`${name} is given ${value.length} times; give it once`);
  return value;
}

function parseRequiredText(query: Query, name: string): string {
  const value = getOptionalText(query, name);
  if (value === undefined) throw new SwapRefused(`${name} is missing`);
  return value;
}

export function parseRequiredAddress(query: Query, name: string): Address {
  return address(name, parseRequiredText(query, name));
}

export function parseOptionalAddress(query: Query, name: string): Address | undefined {
  const value = getOptionalText(query, name);
  return value === undefined ? undefined : address(name, value);
}

/** The input and output mints of a swap. */
export function parseMintPair(query: Query): { readonly inputMint: Address; readonly outputMint: Address } {
  const inputMint = parseRequiredAddress(query, 'inputMint');
  const outputMint = parseRequiredAddress(query, 'outputMint');
  if (inputMint === outputMint) {
    throw new SwapRefused(
      `inputMint and outputMint must differ, both are ${inputMint}`,
      'CIRCULAR_ARBITRAGE_IS_DISABLED',
    );
  }
  return { inputMint, outputMint };
}

/** Token atoms, in plain decimal digits. */
export function parseRequiredAmount(query: Query, name: string, bounds: AmountBounds): bigint {
  return amount(name, parseRequiredText(query, name), bounds);
}

export function parseOptionalAmount(query: Query, name: string, bounds: AmountBounds): bigint | undefined {
  const value = getOptionalText(query, name);
  return value === undefined ? undefined : amount(name, value, bounds);
}

export function parseOptionalLamports(query: Query, name: string, bounds: AmountBounds): bigint | undefined {
  const value = getOptionalText(query, name);
  return value === undefined ? undefined : amount(name, value, bounds, 'lamports');
}

export function parseOptionalInteger(
  query: Query,
  name: string,
  { minimum: min, maximum: max }: IntegerBounds,
  errorCode: SwapRefusalCode | null = null,
): number | undefined {
  const value = getOptionalText(query, name);
  if (value === undefined) return undefined;
  const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= min && number <= max)) {
    throw new SwapRefused(
      `${name} must be a whole number from ${min} to ${max}, got ${formatForError(value)}`,
      errorCode,
    );
  }
  return number;
}

/** @param errorCode - Code of the refusal of an invalid value; without one when absent. */
export function parseOptionalBps(
  query: Query,
  name: string,
  errorCode: SwapRefusalCode | null = null,
): Bps | undefined {
  const value = parseOptionalInteger(query, name, BPS_BOUNDS, errorCode);
  return value === undefined ? undefined : bps(value);
}

export function parseOptionalBoolean(query: Query, name: string): boolean | undefined {
  const value = getOptionalText(query, name);
  if (value === undefined) return undefined;
  if (value !== 'true' && value !== 'false') {
    throw new SwapRefused(`${name} must be true or false, got ${formatForError(value)}`);
  }
  return value === 'true';
}

export function parseOptionalChoice<Choice extends string>(
  query: Query,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const value = getOptionalText(query, name);
  if (value === undefined) return undefined;
  const found = choices.find((choice) => choice === value);
  if (found === undefined)
    throw new SwapRefused(`${name} must be ${choices.join(' or ')}, got ${formatForError(value)}`);
  return found;
}

/** The values of a list in any of its forms; undefined when it is absent or empty. */
export function parseOptionalList(query: Query, name: string): readonly string[] | undefined {
  const parts = [query[name] ?? []]
    .flat()
    .flatMap((text) => text.split(','))
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return parts.length === 0 ? undefined : parts;
}

function address(name: string, value: string): Address {
  const parsed = parseAddress(value);
  if (parsed === null) {
    throw new SwapRefused(`${name} must be an address of 32 bytes in base58, got ${formatForError(value)}`);
  }
  return parsed;
}

function amount(
  name: string,
  value: string,
  { minimum, maximum }: AmountBounds,
  unit = 'token atoms',
): bigint {
  // Twenty digits hold every u64, and bound the cost of parsing.
  const parsed = /^\d{1,20}$/.test(value) ? BigInt(value) : -1n;
  if (parsed < minimum || parsed > maximum) {
    const range = `${minimum} to ${maximum}`;
    throw new SwapRefused(
      `${name} must be a whole number of ${unit} from ${range}, got ${formatForError(value)}`,
    );
  }
  return parsed;
}
