import {
  ExactNumber,
  type ExactJson,
  formatExactJson,
  isExactList,
  isExactObject,
  parseExactJson,
} from '../../base/exact-json.ts';
import type { FormField } from './fields.ts';

/** What a form holds for one field. The field says how it is shown; a value of another kind counts as absent. */
export type FormValue =
  | { readonly kind: 'absent' }
  | { readonly kind: 'null' }
  /** For texts and numbers as they are typed, the label of a choice, `true` or `false`, and JSON. */
  | { readonly kind: 'typed'; readonly text: string }
  | { readonly kind: 'items'; readonly items: readonly FormValue[] }
  | { readonly kind: 'members'; readonly members: ReadonlyMap<string, FormValue> }
  | { readonly kind: 'entries'; readonly entries: readonly FormEntry[] }
  | { readonly kind: 'variant'; readonly index: number; readonly value: FormValue }
  | { readonly kind: 'upload'; readonly file: FormUpload };

/** A member of an object whose names are free. */
export interface FormEntry {
  readonly name: string;
  readonly value: FormValue;
}

/** A file that was chosen. */
export interface FormUpload {
  readonly name: string;
  readonly type: string;
  readonly content: Blob;
}

export const ABSENT: FormValue = { kind: 'absent' };

/** Returns the value with which an empty form begins: required objects and lists are open, everything else is absent. */
export function createFormValue(field: FormField): FormValue {
  if (!field.isRequired) return ABSENT;
  return openFormValue(field);
}

/** Returns the value of a field that the user adds: its required members are there, and everything else is absent. */
export function openFormValue(field: FormField): FormValue {
  switch (field.kind) {
    case 'list':
      return {
        kind: 'items',
        items: Array.from({ length: field.minItems }, () => openFormValue(field.item)),
      };
    case 'object':
      return {
        kind: 'members',
        members: new Map(field.members.map((member) => [member.name, createFormValue(member)])),
      };
    case 'map':
      return { kind: 'entries', entries: [] };
    case 'variants':
      return openVariant(field, 0);
    case 'choice': {
      const [first] = field.choices;
      return first !== undefined && field.choices.length === 1
        ? { kind: 'typed', text: first.label }
        : ABSENT;
    }
    default:
      return ABSENT;
  }
}

/** Returns the value of a field whose variant was chosen. */
export function openVariant(field: FormField, index: number): FormValue {
  const variant = field.kind === 'variants' ? field.variants[index] : undefined;
  return variant === undefined ? ABSENT : { kind: 'variant', index, value: openFormValue(variant.field) };
}

/**
 * Fills a field with a value, such as that of an example. What does not fit the field is shown as JSON where the field can
 * hold it, and is left out elsewhere.
 * @param json - Undefined: nothing is given.
 */
export function fillFormValue(field: FormField, json: ExactJson | undefined): FormValue {
  if (json === undefined) return createFormValue(field);
  if (json === null && field.kind !== 'json') return field.isNullable ? { kind: 'null' } : ABSENT;
  switch (field.kind) {
    case 'list': {
      const items = isExactList(json) ? json : [json];
      return { kind: 'items', items: items.map((item) => fillFormValue(field.item, item)) };
    }
    case 'object':
      if (!isExactObject(json)) return openFormValue(field);
      return {
        kind: 'members',
        members: new Map(
          field.members.map((member) => [member.name, fillFormValue(member, json.get(member.name))]),
        ),
      };
    case 'map':
      if (!isExactObject(json)) return openFormValue(field);
      return {
        kind: 'entries',
        entries: [...json].map(([name, value]) => ({ name, value: fillFormValue(field.value, value) })),
      };
    case 'variants': {
      const index = Math.max(
        0,
        field.variants.findIndex((variant) => mayHold(variant.field, json)),
      );
      const variant = field.variants[index];
      return variant === undefined
        ? ABSENT
        : { kind: 'variant', index, value: fillFormValue(variant.field, json) };
    }
    case 'json':
      return { kind: 'typed', text: formatExactJson(json, 2) };
    case 'file':
      return ABSENT;
    default:
      return toTyped(json);
  }
}

/**
 * Returns the JSON of a field; undefined if the field is absent. Numbers are written as they were typed. A text that is no
 * value of the field is sent as a text, so that the endpoint refuses it: `checkFormValue` names it before.
 */
export function readFormValue(field: FormField, value: FormValue): ExactJson | undefined {
  if (value.kind === 'null') return null;
  if (value.kind === 'typed') return readTyped(field, value.text);
  if (field.kind === 'list' && value.kind === 'items')
    return value.items.flatMap((item) => readFormValue(field.item, item) ?? []);
  if (field.kind === 'object' && value.kind === 'members') {
    const members = field.members.flatMap((member): [string, ExactJson][] => {
      const read = readFormValue(member, value.members.get(member.name) ?? ABSENT);
      return read === undefined ? [] : [[member.name, read]];
    });
    return new Map(members);
  }
  if (field.kind === 'map' && value.kind === 'entries') {
    const entries = value.entries.flatMap((entry): [string, ExactJson][] => {
      const read = readFormValue(field.value, entry.value);
      return read === undefined ? [] : [[entry.name, read]];
    });
    return new Map(entries);
  }
  if (field.kind === 'variants' && value.kind === 'variant') {
    const variant = field.variants[value.index];
    return variant === undefined ? undefined : readFormValue(variant.field, value.value);
  }
  return undefined;
}

/** Whether the text is a number in the notation of JSON. */
export function isNumberText(text: string): boolean {
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text);
}

function readTyped(field: FormField, text: string): ExactJson | undefined {
  switch (field.kind) {
    case 'integer':
    case 'number': {
      const trimmed = text.trim();
      if (trimmed === '') return undefined;
      return isNumberText(trimmed) ? new ExactNumber(trimmed) : text;
    }
    case 'boolean':
      return text === '' ? undefined : text === 'true' ? true : text === 'false' ? false : text;
    case 'choice': {
      if (text === '') return undefined;
      const choice = field.choices.find(({ label }) => label === text);
      return choice === undefined ? text : choice.value;
    }
    case 'json': {
      if (text.trim() === '') return undefined;
      const reading = parseExactJson(text);
      return reading.ok ? reading.value : text;
    }
    case 'text':
      return text === '' && !field.isRequired ? undefined : text;
    default:
      return undefined;
  }
}

function toTyped(json: ExactJson): FormValue {
  if (json instanceof ExactNumber) return { kind: 'typed', text: json.source };
  return { kind: 'typed', text: typeof json === 'object' ? formatExactJson(json) : String(json) };
}

/** Whether a value is of the kind of a field. */
function mayHold(field: FormField, json: ExactJson): boolean {
  switch (field.kind) {
    case 'list':
      return isExactList(json);
    case 'object':
    case 'map':
      return isExactObject(json);
    case 'boolean':
      return typeof json === 'boolean';
    case 'integer':
    case 'number':
      return json instanceof ExactNumber;
    case 'choice':
      return field.choices.some(({ value }) => formatExactJson(value) === formatExactJson(json));
    case 'text':
      return typeof json === 'string';
    case 'variants':
      return field.variants.some((variant) => mayHold(variant.field, json));
    default:
      return true;
  }
}
