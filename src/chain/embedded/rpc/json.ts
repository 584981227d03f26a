import { parseBoundedJson } from '../../../common/bounded-json.ts';

/** How deep integers are restored exactly. No parameter of any method nests deeper than six levels. */
const MAX_EXACT_DEPTH = 16;

/** Digits of an integer that is restored: 2^128 has 39, and reading very many takes more than linear time. */
const MAX_EXACT_DIGITS = 40;

const LONG_DIGITS = /[0-9]{16}/;

/** A string, which is skipped, or an integer of sixteen digits or more, which is captured. */
const STRING_OR_LONG_INTEGER = /"[^"\\]*(?:\\.[^"\\]*)*"|(?<![\w.+-])(-?[0-9]{16,})(?![\w.])/g;

/**
 * `JSON.parse`, except that an integer a double cannot hold exactly becomes a bigint.
 * Throws `SyntaxError` as `JSON.parse` does, also for text that is nested too deeply, see `parseBoundedJson`.
 */
export function parseJson(text: string): unknown {
  const value = parseBoundedJson(text);
  if (!LONG_DIGITS.test(text)) return value;
  const quoted: unknown = JSON.parse(
    text.replace(STRING_OR_LONG_INTEGER, (token, integer) =>
      integer === undefined || integer.length > MAX_EXACT_DIGITS ? token : `"${integer}"`,
    ),
  );
  return restoreIntegers(value, quoted, 0);
}

/** Where the text had a number but its quoted form has a string, the string holds the exact digits. */
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
 * JSON text in which bigints are bare integers, as 64-bit numbers are on the public interface.
 * Members that are `undefined` are left out; numbers that JSON cannot hold are null.
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

/** A value that is JSON text already, so that what goes to many subscribers is written once. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
