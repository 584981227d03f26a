import { parseBoundedJson } from '../../common/bounded-json.ts';

/** The depth to which integers are restored exactly. Parameters of methods are nested at most six levels deep. */
const MAX_EXACT_DEPTH = 16;

/** The maximum digits of an integer that is restored. 2^128 has 39, and parsing takes more than linear time. */
const MAX_EXACT_DIGITS = 40;

const LONG_DIGITS = /[0-9]{16}/;

/** Matches a string, which is skipped, or an integer of at least sixteen digits, which is captured. */
const STRING_OR_LONG_INTEGER = /"[^"\\]*(?:\\.[^"\\]*)*"|(?<![\w.+-])(-?[0-9]{16,})(?![\w.])/g;

/**
 * Parses JSON like `JSON.parse`, but an integer that a double cannot represent exactly becomes a bigint.
 *
 * @throws SyntaxError when the text is not JSON, or is nested too deeply: see `parseBoundedJson`.
 */
export function parseJson(text: string): unknown {
  const value = parseBoundedJson(text);
  if (!mayHaveLongInteger(text)) return value;
  const quoted: unknown = JSON.parse(
    text.replace(STRING_OR_LONG_INTEGER, (token, integer) =>
      integer === undefined || countDigits(integer) > MAX_EXACT_DIGITS ? token : `"${integer}"`,
    ),
  );
  return restoreIntegers(value, quoted, 0);
}

/** Whether a JSON text may have an integer that a double cannot represent exactly. Without one, `JSON.parse` is exact. */
export function mayHaveLongInteger(text: string): boolean {
  return LONG_DIGITS.test(text);
}

function countDigits(integer: string): number {
  return integer.startsWith('-') ? integer.length - 1 : integer.length;
}

/** Replaces rounded numbers. Where `value` has a number and `quoted` a string, the string has the exact digits. */
function restoreIntegers(value: unknown, quoted: unknown, depth: number): unknown {
  if (typeof value === 'number') {
    return typeof quoted === 'string' && !Number.isSafeInteger(value) ? BigInt(quoted) : value;
  }
  if (depth === MAX_EXACT_DEPTH || !isContainer(value) || !isContainer(quoted)) return value;
  for (const key of Object.keys(value)) {
    const element = value[key];
    const restored = restoreIntegers(element, quoted[key], depth + 1);
    if (restored !== element) value[key] = restored;
  }
  return value;
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/**
 * Serializes a value. Bigints become bare integers, like 64-bit numbers on the public interface.
 * Members that are `undefined` are left out, and numbers that JSON cannot represent become null.
 */
export function toJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'number':
      return Number.isFinite(value) ? String(value) : 'null';
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'object':
      if (value === null) return 'null';
      if (value instanceof RawJson) return value.text;
      return Array.isArray(value) ? arrayToJson(value) : objectToJson(value);
    default:
      return 'null';
  }
}

function arrayToJson(array: readonly unknown[]): string {
  let text = '[';
  for (let i = 0; i < array.length; i++) text += (i === 0 ? '' : ',') + toJson(array[i]);
  return `${text}]`;
}

function objectToJson(object: object): string {
  let text = '';
  for (const [key, value] of Object.entries(object)) {
    if (value !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${toJson(value)}`;
  }
  return `{${text}}`;
}

/** A value that is JSON text already. A notification for many subscribers is then serialized once. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
