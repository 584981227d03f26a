import { requireBoundedDepth } from './bounded-json.ts';

/** Marks of values that JSON does not have. */
const BIGINT = 'bigint';
const BYTES = 'bytes';

/** Plain data as a text from which `plainOf` makes an equal value: JSON, with integers of any size and bytes besides. */
export function plainText(value: unknown): string {
  return JSON.stringify(marked(value));
}

/**
 * @param text of `plainText`, in this process or another
 * @throws SyntaxError when it is not JSON, or nested too deeply, see `parseBoundedJson`
 */
export function plainOf(text: string): unknown {
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
