import { formatExactJson, isExactList, parseExactJson, type ExactJson } from '../../../base/exact-json.ts';
import { ABSENT, type FormValue, fillFormValue, readFormValue } from '../../../openapi/form/values.ts';
import type { FormField } from '../../../openapi/form/fields.ts';
import { isSecretName } from '../fields/secret-name.ts';
import {
  type BodyForm,
  fillFromText,
  type OperationFields,
  type ParameterField,
  readBody,
  type RequestForm,
} from './request-form.ts';

/** The member of the query that holds the body. No parameter of an operation has this name. */
const BODY = 'body';
/** Longer addresses are not understood everywhere. */
const MAX_BODY_LENGTH = 4_000;
/**
 * Writes a form as the query of an address, from which `readSharedForm` makes the form again. It says only what differs from
 * the form that is there without it; an empty text means that a value was removed.
 */
export function writeSharedForm(
  fields: OperationFields,
  form: RequestForm,
  base: RequestForm,
): Record<string, string> {
  const shared = fields.parameters.flatMap(({ key, field }): [string, string][] => {
    if (isSecretName(field.name)) return [];
    const text = toSharedText(field, form.parameters.get(key));
    return text === toSharedText(field, base.parameters.get(key)) ? [] : [[getSharedName(fields, key), text]];
  });
  const body = writeSharedBody(fields.body, form.body);
  const isOfBase = body === null || body === writeSharedBody(fields.body, base.body);
  return Object.fromEntries(isOfBase ? shared : [...shared, [BODY, body]]);
}

/** Lays the query of an address over a form. Members that name no field are ignored. */
export function readSharedForm(
  fields: OperationFields,
  base: RequestForm,
  search: Readonly<Record<string, unknown>>,
): RequestForm {
  const parameters = fields.parameters.map(({ key, field }): [string, FormValue] => {
    const text = getOwnText(search, getSharedName(fields, key));
    return [key, text === null ? (base.parameters.get(key) ?? ABSENT) : fillFromText(field, text)];
  });
  const body = getOwnText(search, BODY);
  return {
    parameters: new Map(parameters),
    body:
      body === null || fields.body === null || base.body === null
        ? base.body
        : readSharedBody(fields.body, body),
  };
}

/** A name that stands in two places of one request is told apart by its place. */
function getSharedName({ parameters }: OperationFields, key: string): string {
  const own = parameters.find((each) => each.key === key);
  const isShared = (each: ParameterField) => each.field.name === own?.field.name;
  return own === undefined || parameters.filter(isShared).length > 1 || own.field.name === BODY
    ? key
    : own.field.name;
}

function getOwnText(search: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = Object.hasOwn(search, name) ? search[name] : undefined;
  return typeof value === 'string' ? value : null;
}

function toSharedText(field: FormField, value: FormValue = ABSENT): string {
  if (value.kind === 'typed') return value.text;
  const read = readFormValue(field, value);
  return read === undefined ? '' : toText(read);
}

function toText(value: ExactJson): string {
  if (isExactList(value)) return value.map(toText).join(',');
  return typeof value === 'string' ? value : formatExactJson(value);
}

function writeSharedBody(field: FormField | null, body: BodyForm | null): string | null {
  if (field === null || body === null || hasSecret(field)) return null;
  const read = readBody(field, body);
  const text = read === undefined ? (body.mode === 'json' ? body.text : '') : formatExactJson(read);
  return text.length > MAX_BODY_LENGTH ? null : text;
}

function readSharedBody(field: FormField, text: string): BodyForm {
  const reading = parseExactJson(text);
  if (reading.ok) return { mode: 'fields', value: fillFormValue(field, reading.value) };
  return text === '' ? { mode: 'fields', value: ABSENT } : { mode: 'json', text };
}

function hasSecret(field: FormField): boolean {
  if (isSecretName(field.name)) return true;
  if (field.kind === 'object') return field.members.some(hasSecret);
  return field.kind === 'list' && hasSecret(field.item);
}
