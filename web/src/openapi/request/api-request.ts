import { ExactNumber, type ExactJson, formatExactJson, isExactList } from '../../base/exact-json.ts';
import type { ApiCredential, ApiOperation, ApiParameter } from '../model/api-model.ts';
import type { FormUpload } from '../form/values.ts';

/** One request, from which both what is sent and the snippets are made. */
export interface ApiRequest {
  readonly method: string;
  /** Such as `http://127.0.0.1:8787`, without a slash at the end. */
  readonly origin: string;
  /** Encoded, without the query. */
  readonly path: string;
  /** Not encoded. */
  readonly query: readonly NamedText[];
  /** Without those that a client sets by itself. */
  readonly headers: readonly NamedText[];
  readonly body: RequestBody | null;
}

export interface NamedText {
  readonly name: string;
  readonly value: string;
}

export type RequestBody =
  | { readonly kind: 'json'; readonly value: ExactJson }
  | { readonly kind: 'file'; readonly type: string; readonly file: FormUpload | null }
  | { readonly kind: 'form'; readonly parts: readonly FormPart[] };

export type FormPart = { readonly name: string } & (
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'upload'; readonly file: FormUpload | null }
);

/** What a request is built from. */
export interface RequestValues {
  readonly origin: string;
  /** The values of parameters by `getParameterKey`. Those that are absent are not sent. */
  readonly parameters: ReadonlyMap<string, ExactJson>;
  /** Undefined: no body is sent. */
  readonly body?: ExactJson | undefined;
  /** The files of a form by the names of its members; that of a body that is a file has an empty name. */
  readonly files?: ReadonlyMap<string, FormUpload>;
  /** The credentials by their names. Empty ones are not sent. */
  readonly credentials?: ReadonlyMap<string, string>;
}

/** Returns the key of a parameter among all of an operation: a name may stand in the path and in the query. */
export function getParameterKey({ place, name }: Pick<ApiParameter, 'place' | 'name'>): string {
  return `${place}.${name}`;
}

/**
 * Builds a request of an operation. Values of the path are encoded, so that none can leave its place; a missing one stays in
 * braces.
 */
export function buildApiRequest(operation: ApiOperation, values: RequestValues): ApiRequest {
  const given = operation.parameters.flatMap((parameter) => {
    const value = values.parameters.get(getParameterKey(parameter));
    return value === undefined ? [] : [{ ...parameter, value: toParameterText(value) }];
  });
  const inPath = new Map(
    given.filter(({ place }) => place === 'path').map((each) => [each.name, each.value]),
  );
  const body = toRequestBody(operation, values);
  return {
    method: operation.method,
    origin: values.origin,
    path: operation.path.replaceAll(/\{([^}]+)\}/g, (hole, name: string) => {
      const value = inPath.get(name);
      return value === undefined || value === '' ? hole : encodePathSegment(value);
    }),
    query: given.filter(({ place, value }) => place === 'query' && value !== '').map(toNamedText),
    headers: [
      ...toCredentialHeaders(operation.credentials, values.credentials ?? new Map()),
      ...given.filter(({ place, value }) => place === 'header' && value !== '').map(toNamedText),
      ...(body?.kind === 'json' ? [{ name: 'content-type', value: 'application/json' }] : []),
      ...(body?.kind === 'file' ? [{ name: 'content-type', value: body.type }] : []),
    ],
    body,
  };
}

/** Returns the path with the query. */
export function getRequestTarget({ path, query }: ApiRequest): string {
  const text = query.map(({ name, value }) => `${encodeQueryText(name)}=${encodeQueryText(value)}`).join('&');
  return text === '' ? path : `${path}?${text}`;
}

/** Returns the example of an operation as the values of a request. */
export function getExampleValues({ parameters, body }: ApiOperation): {
  readonly parameters: ReadonlyMap<string, ExactJson>;
  readonly body: unknown;
} {
  const given = parameters.flatMap((parameter): [string, ExactJson][] => {
    const { example } = parameter;
    return example === undefined ? [] : [[getParameterKey(parameter), String(example)]];
  });
  return { parameters: new Map(given), body: body?.example };
}

/** What a client puts in the place of its own credential. */
const PLACEHOLDERS: ReadonlyMap<string, string> = new Map([
  ['ApiKey', 'YOUR_API_KEY'],
  ['Bearer', 'YOUR_TOKEN'],
]);

/** Returns what stands for credentials in a program that is shown and copied: a secret would be passed on with it. */
export function createPlaceholders(names: readonly string[]): ReadonlyMap<string, string> {
  return new Map(names.map((name) => [name, PLACEHOLDERS.get(name) ?? 'YOUR_CREDENTIAL']));
}

function toNamedText({ name, value }: NamedText): NamedText {
  return { name, value };
}

/** Lists stand in one parameter, with commas. */
function toParameterText(value: ExactJson): string {
  if (isExactList(value)) return value.map(toParameterText).join(',');
  if (value instanceof ExactNumber) return value.source;
  if (value === null) return '';
  return typeof value === 'object' ? formatExactJson(value) : String(value);
}

/** `.` and `..` would be resolved away, even when they are encoded, so their dots are written as what no URL resolves. */
function encodePathSegment(value: string): string {
  return /^\.{1,2}$/.test(value) ? value.replaceAll('.', '%252E') : encodeText(value);
}

/** Characters that stand in a query as they are, for a reader's sake. */
function encodeQueryText(value: string): string {
  return encodeText(value).replaceAll('%2C', ',').replaceAll('%3A', ':');
}

/** A surrogate that stands alone cannot be encoded, and would make `encodeURIComponent` throw. */
function encodeText(value: string): string {
  return encodeURIComponent(value.replaceAll(/\p{Surrogate}/gu, '\uFFFD')).replaceAll(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function toCredentialHeaders(
  credentials: readonly ApiCredential[],
  given: ReadonlyMap<string, string>,
): readonly NamedText[] {
  return credentials.flatMap(({ name, header, prefix }) => {
    const value = given.get(name) ?? '';
    return value === '' ? [] : [{ name: header, value: prefix + value }];
  });
}

function toRequestBody({ body }: ApiOperation, values: RequestValues): RequestBody | null {
  if (body === null) return null;
  const files = values.files ?? new Map<string, FormUpload>();
  if (body.kind === 'file') {
    const file = files.get('') ?? null;
    const type =
      body.types.find((each) => each === file?.type) ?? body.types[0] ?? 'application/octet-stream';
    return { kind: 'file', type, file };
  }
  if (body.kind === 'json') return values.body === undefined ? null : { kind: 'json', value: values.body };
  const texts = values.body instanceof Map ? [...(values.body as ReadonlyMap<string, ExactJson>)] : [];
  return {
    kind: 'form',
    parts: [
      ...texts.map(([name, value]): FormPart => ({ kind: 'text', name, text: toParameterText(value) })),
      ...[...files].map(([name, file]): FormPart => ({ kind: 'upload', name, file })),
    ],
  };
}
