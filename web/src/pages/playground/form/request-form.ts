import {
  type ExactJson,
  formatExactJson,
  isExactObject,
  parseExactJson,
  toExactJson,
} from '../../../base/exact-json.ts';
import type { ApiOperation, ApiParameter } from '../../../openapi/model/api-model.ts';
import {
  getExampleValues,
  getParameterKey,
  type RequestValues,
} from '../../../openapi/request/api-request.ts';
import { checkFormValue, type FormProblem } from '../../../openapi/form/checks.ts';
import { type FormField, toField } from '../../../openapi/form/fields.ts';
import {
  ABSENT,
  createFormValue,
  fillFormValue,
  type FormUpload,
  type FormValue,
  readFormValue,
} from '../../../openapi/form/values.ts';
import type { NamedNodes } from '../../../openapi/model/schema.ts';

/** What the reader has entered for one request. */
export interface RequestForm {
  /** By `getParameterKey`. */
  readonly parameters: ReadonlyMap<string, FormValue>;
  /** Null: the operation has no body. */
  readonly body: BodyForm | null;
}

/** A body is edited field by field, or as a whole. */
export type BodyForm =
  | { readonly mode: 'fields'; readonly value: FormValue }
  | { readonly mode: 'json'; readonly text: string };

/** The fields of an operation. */
export interface OperationFields {
  readonly parameters: readonly ParameterField[];
  readonly body: FormField | null;
}

export interface ParameterField {
  readonly key: string;
  readonly place: ApiParameter['place'];
  readonly field: FormField;
}

/** The path of the body among the problems of a form. */
export const BODY_PATH = 'body';

/** Lists the fields that the form of an operation has. */
export function listOperationFields(
  { parameters, body }: ApiOperation,
  schemas: NamedNodes,
): OperationFields {
  return {
    parameters: parameters.map((parameter) => {
      const { name, schema, isRequired, description, place } = parameter;
      const field = toField({ name, schema, isRequired, description }, schemas);
      return { key: getParameterKey(parameter), place, field };
    }),
    body:
      body === null ? null : toField({ name: '', schema: body.schema, isRequired: body.isRequired }, schemas),
  };
}

/** Fills the form with the example of the operation. What has no example is empty. */
export function fillExampleForm(operation: ApiOperation, fields: OperationFields): RequestForm {
  const example = getExampleValues(operation);
  const parameters = fields.parameters.map(({ key, field }): [string, FormValue] => [
    key,
    fillFromText(field, toExampleText(example.parameters.get(key))),
  ]);
  const { body } = fields;
  if (body === null) return { parameters: new Map(parameters), body: null };
  const value =
    example.body === undefined ? createFormValue(body) : fillFormValue(body, toExactJson(example.body));
  return { parameters: new Map(parameters), body: { mode: 'fields', value } };
}

/** Fills the field of a parameter with a text, as it would stand in a request. Empty: nothing is sent. */
export function fillFromText(field: FormField, text: string): FormValue {
  if (text === '') return createFormValue(field);
  if (field.kind === 'list')
    return { kind: 'items', items: text.split(',').map((item) => fillFromText(field.item, item)) };
  if (field.kind === 'variants') {
    const filled = field.variants.map((variant) => fillFromText(variant.field, text));
    const fitting = field.variants.findIndex(
      (variant, index) => checkFormValue(variant.field, filled[index] ?? ABSENT).length === 0,
    );
    const index = Math.max(0, fitting);
    return { kind: 'variant', index, value: filled[index] ?? ABSENT };
  }
  return { kind: 'typed', text };
}

/** Returns what is wrong with a form. The path of each problem begins with the key of a parameter, or with `body`. */
export function checkRequestForm(fields: OperationFields, form: RequestForm): readonly FormProblem[] {
  const ofParameters = fields.parameters.flatMap(({ key, field }) =>
    checkFormValue(field, form.parameters.get(key) ?? ABSENT, key),
  );
  if (fields.body === null || form.body === null) return ofParameters;
  if (form.body.mode === 'fields')
    return [...ofParameters, ...checkFormValue(fields.body, form.body.value, BODY_PATH)];
  return [...ofParameters, ...checkJsonBody(fields.body, form.body.text)];
}

function checkJsonBody(field: FormField, text: string): readonly FormProblem[] {
  const reading = parseExactJson(text);
  if (!reading.ok) {
    const { line, message } = reading.error;
    return [{ path: BODY_PATH, text: `Line ${line} is not JSON: ${message}.` }];
  }
  // The form cannot hold a value of another kind, and would only say that one is missing.
  if (field.kind === 'object' && !isExactObject(reading.value))
    return [{ path: BODY_PATH, text: 'Enter an object: the body begins with a brace.' }];
  return checkFormValue(field, fillFormValue(field, reading.value), BODY_PATH);
}

/** Returns what a request is built from. */
export function readRequestForm(
  fields: OperationFields,
  form: RequestForm,
): Pick<RequestValues, 'parameters' | 'body' | 'files'> {
  const parameters = fields.parameters.flatMap(({ key, field }): [string, ExactJson][] => {
    const read = readFormValue(field, form.parameters.get(key) ?? ABSENT);
    return read === undefined ? [] : [[key, read]];
  });
  const body = readBody(fields.body, form.body);
  return { parameters: new Map(parameters), body, files: listUploads(form.body) };
}

/** Returns the body that a form sends; undefined if it sends none, or if its text is no JSON. */
export function readBody(field: FormField | null, body: BodyForm | null): ExactJson | undefined {
  if (field === null || body === null) return undefined;
  if (body.mode === 'fields') return readFormValue(field, body.value);
  const reading = parseExactJson(body.text);
  return reading.ok ? reading.value : undefined;
}

function listUploads(body: BodyForm | null): ReadonlyMap<string, FormUpload> {
  if (body?.mode !== 'fields') return new Map();
  const { value } = body;
  if (value.kind === 'upload') return new Map([['', value.file]]);
  if (value.kind !== 'members') return new Map();
  const uploads = [...value.members].flatMap(([name, member]): [string, FormUpload][] =>
    member.kind === 'upload' ? [[name, member.file]] : [],
  );
  return new Map(uploads);
}

/** Changes how the body is edited. A text that is no JSON stays a text. */
export function switchBodyMode(field: FormField, body: BodyForm): BodyForm {
  if (body.mode === 'fields') {
    const value = readFormValue(field, body.value);
    return { mode: 'json', text: value === undefined ? '' : formatExactJson(value, 2) };
  }
  const reading = parseExactJson(body.text);
  return reading.ok ? { mode: 'fields', value: fillFormValue(field, reading.value) } : body;
}

function toExampleText(value: ExactJson | undefined): string {
  return typeof value === 'string' ? value : '';
}
