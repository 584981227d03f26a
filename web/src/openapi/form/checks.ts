import { parseExactJson } from '../../base/exact-json.ts';
import type { FormField, NumberBounds } from './fields.ts';
import { ABSENT, type FormValue, isNumberText } from './values.ts';

/** What is wrong with one value of a form. */
export interface FormProblem {
  /** Where the value stands, such as `accounts[0].address`; empty for the whole. */
  readonly path: string;
  /** What to do, as a sentence. */
  readonly text: string;
}

/** Returns what is wrong with the value of a field, in the order of the form; empty when nothing is. */
export function checkFormValue(
  field: FormField,
  value: FormValue,
  path = field.name,
): readonly FormProblem[] {
  const isEmpty = value.kind === 'absent' || (value.kind === 'typed' && value.text === '');
  if (isEmpty) return field.isRequired ? [{ path, text: 'Enter a value: this field is required.' }] : [];
  if (value.kind === 'null') return field.isNullable ? [] : [{ path, text: 'Null is not allowed here.' }];
  if (value.kind === 'typed') return checkTyped(field, value.text).map((text) => ({ path, text }));
  if (field.kind === 'list' && value.kind === 'items')
    return [
      ...checkCount(value.items.length, field.minItems, field.maxItems, 'element').map((text) => ({
        path,
        text,
      })),
      ...value.items.flatMap((item, index) => checkFormValue(field.item, item, `${path}[${index}]`)),
    ];
  if (field.kind === 'object' && value.kind === 'members')
    return field.members.flatMap((member) =>
      checkFormValue(member, value.members.get(member.name) ?? ABSENT, joinPath(path, member.name)),
    );
  if (field.kind === 'map' && value.kind === 'entries')
    return value.entries.flatMap((entry) =>
      checkFormValue(field.value, entry.value, joinPath(path, entry.name)),
    );
  if (field.kind === 'variants' && value.kind === 'variant') {
    const variant = field.variants[value.index];
    return variant === undefined ? [] : checkFormValue(variant.field, value.value, path);
  }
  return [];
}

function joinPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function checkTyped(field: FormField, text: string): readonly string[] {
  switch (field.kind) {
    case 'integer':
      if (!/^\s*-?\d+\s*$/.test(text)) return ['Enter a whole number.'];
      return checkBounds(field, text.trim());
    case 'number':
      if (!isNumberText(text.trim())) return ['Enter a number.'];
      return checkBounds(field, text.trim());
    case 'boolean':
      return text === 'true' || text === 'false' ? [] : ['Choose true or false.'];
    case 'choice':
      return field.choices.some(({ label }) => label === text)
        ? []
        : [`Choose one of ${field.choices.map(({ label }) => label).join(', ')}.`];
    case 'json': {
      const reading = parseExactJson(text);
      return reading.ok ? [] : [`Line ${reading.error.line} is not JSON: ${reading.error.message}.`];
    }
    case 'text':
      return checkText(field, text);
    default:
      return [];
  }
}

function checkText(
  { minLength, maxLength, pattern }: Extract<FormField, { kind: 'text' }>,
  text: string,
): readonly string[] {
  const ofLength = checkCount([...text].length, minLength ?? 0, maxLength, 'character');
  if (ofLength.length > 0) return ofLength;
  if (pattern === null || matchesPattern(pattern, text)) return [];
  return pattern === '^[0-9]{1,20}$' ? ['Enter a whole number.'] : [`Enter a text that matches ${pattern}.`];
}

/** A pattern that this browser cannot read is left to the endpoint. */
function matchesPattern(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return true;
  }
}

function checkCount(count: number, least: number, most: number | null, unit: string): readonly string[] {
  const toText = (bound: number) => `${bound} ${unit}${bound === 1 ? '' : 's'}`;
  if (count < least) return [`Enter at least ${toText(least)}.`];
  return most !== null && count > most ? [`Enter at most ${toText(most)}.`] : [];
}

function checkBounds(bounds: NumberBounds, text: string): readonly string[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = bounds;
  if (minimum !== null && compareNumbers(text, minimum) < 0) return [`Enter ${minimum} or more.`];
  if (maximum !== null && compareNumbers(text, maximum) > 0) return [`Enter ${maximum} or less.`];
  if (exclusiveMinimum !== null && compareNumbers(text, exclusiveMinimum) <= 0)
    return [`Enter more than ${exclusiveMinimum}.`];
  if (exclusiveMaximum !== null && compareNumbers(text, exclusiveMaximum) >= 0)
    return [`Enter less than ${exclusiveMaximum}.`];
  return [];
}

/** Compares a typed number with a bound: whole numbers exactly, others as doubles. */
function compareNumbers(text: string, bound: number): number {
  if (!/^-?\d+$/.test(text) || !Number.isInteger(bound)) return Number(text) - bound;
  const [typed, exact] = [BigInt(text), BigInt(bound)];
  return typed < exact ? -1 : typed > exact ? 1 : 0;
}
