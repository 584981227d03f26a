import { requireBoundedDepth } from './bounded-json.ts';

/** Keys that mark values which JSON cannot represent. */
const BIGINT = 'bigint';
const BYTES = 'bytes';

/**
 * Serializes plain data to a text that `parsePlain` reads back: JSON, extended by bigints and byte arrays.
 *
 * @example
 * ```ts
 * import { parsePlain, serializePlain } from './plain-data.ts';
 *
 * parsePlain(serializePlain({ amount: 5n, message: Uint8Array.of(1, 2) }));
 * ```
 */
export function serializePlain(value: unknown): string {
  return JSON.stringify(marked(value));
}

/**
 * Reads a text of `serializePlain`.
 *
 * @throws SyntaxError when it is not JSON, or is nested too deeply: see `parseBoundedJson`.
 */
export function parsePlain(text: string): unknown {
  requireBoundedDepth(text);
  return JSON.parse(text, (_name, value: unknown) => unmarked(value));
}

function marked(value: unknown): unknown {
  if (typeof value === 'bigint') return { [BIGINT]: value.toString() };
  if (value instanceof Uint8Array) return { [BYTES]: Buffer.from(value).toString('base64') };
  if (Array.isArray(value)) return value.map(marked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, marked(inner)]));
}

function unmarked(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const [[name, inner] = [], ...others] = Object.entries(value);
  if (others.length > 0 || typeof inner !== 'string') return value;
  if (name === BIGINT) return BigInt(inner);
  return name === BYTES ? new Uint8Array(Buffer.from(inner, 'base64')) : value;
}
