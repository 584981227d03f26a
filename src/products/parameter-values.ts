import { formatForError } from '../common/format-for-error.ts';
import { type Address, parseAddress } from '../solana/address.ts';
import type { IntegerBounds } from './parameters.ts';
import { RequestRefused } from '../common/request-refused.ts';

/**
 * Reads a parameter that holds an address.
 * @throws RequestRefused when the text is not an address
 */
export function requireAddress(name: string, text: string): Address {
  const address = parseAddress(text);
  if (address !== null) return address;
  throw new RequestRefused(`${name} must be an address: 32 bytes in base58, got ${formatForError(text)}`);
}

/**
 * Reads a parameter that holds a whole number within bounds.
 * @returns null when the parameter is absent or empty
 * @throws RequestRefused when the text is not a whole number within the bounds
 *
 * @example
 * ```ts
 * import { parseIntegerParameter } from './parameter-values.ts';
 *
 * const PAGE_SIZE = { minimum: 1, maximum: 100 };
 * const rows = (query: { readonly limit?: string }) => parseIntegerParameter('limit', query.limit, PAGE_SIZE) ?? 20;
 * console.log(rows({}), rows({ limit: '50' })); // 20 50
 * ```
 */
export function parseIntegerParameter(
  name: string,
  text: string | undefined,
  { minimum, maximum }: IntegerBounds,
): number | null {
  if (text === undefined || text === '') return null;
  const value = /^[0-9]{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= minimum && value <= maximum) return value;
  throw new RequestRefused(
    `${name} must be a whole number from ${minimum} to ${maximum}, got ${formatForError(text)}`,
  );
}
