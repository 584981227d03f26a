import type { ServedContent, ServedDocument, ServedOperation, ServedScheme } from './api-document.ts';
import type { NamedNodes, SchemaNode } from './schema.ts';

/** Everything that pages show of an OpenAPI document. */
export interface ApiModel {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** In the order of the document. Groups without operations are left out. */
  readonly groups: readonly ApiGroup[];
  readonly operations: ReadonlyMap<string, ApiOperation>;
  /** The schemas that references name. */
  readonly schemas: NamedNodes;
}

export interface ApiGroup {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly ApiOperation[];
}

export interface ApiOperation {
  readonly id: string;
  /** In capital letters. */
  readonly method: string;
  /** With `{name}` for the values in it. */
  readonly path: string;
  readonly group: string;
  readonly summary: string;
  readonly description: string;
  readonly isDeprecated: boolean;
  readonly parameters: readonly ApiParameter[];
  readonly body: ApiBody | null;
  /** By ascending status. */
  readonly answers: readonly ApiAnswer[];
  /** The headers that prove who the caller is. */
  readonly credentials: readonly ApiCredential[];
  /** How a 200 goes on: as server-sent events, as lines of JSON, or not at all. */
  readonly stream: 'events' | 'lines' | null;
  /** The right that a member needs for an operation of the admin interface. */
  readonly right: string | null;
  /** The limit that a request counts towards; null if it is not counted. */
  readonly bucket: string | null;
  /** What an answered request costs a caller with a key; null where no credits are counted. */
  readonly credits: number | null;
}

export interface ApiParameter {
  readonly name: string;
  readonly place: 'path' | 'query' | 'header';
  readonly isRequired: boolean;
  readonly description: string;
  readonly schema: SchemaNode;
  readonly example: unknown;
}

export interface ApiBody {
  readonly isRequired: boolean;
  readonly kind: 'json' | 'form' | 'file';
  /** The media types that are accepted. */
  readonly types: readonly string[];
  readonly schema: SchemaNode;
  readonly example: unknown;
}

export interface ApiAnswer {
  readonly status: string;
  readonly description: string;
  readonly contents: readonly { readonly type: string; readonly schema: SchemaNode | null }[];
}

export interface ApiCredential {
  readonly name: string;
  readonly header: string;
  /** What stands before the credential in the header. */
  readonly prefix: string;
  readonly isRequired: boolean;
}

const NO_GROUP = 'other';
const EVENT_STREAM = 'text/event-stream';
const JSON_LINES = 'application/x-ndjson';
const JSON_BODY = 'application/json';
const FORM_BODY = 'multipart/form-data';

/** Builds the model from a document that the gateway has served. */
export function buildApiModel(document: ServedDocument): ApiModel {
  const { info, paths, components = {}, tags = [] } = document;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => toOperation(document, path, method, operation)),
  );
  const described = new Map(tags.map(({ name, description = '' }) => [name, description]));
  const names = new Set([...described.keys(), ...operations.map(({ group }) => group)]);
  const groups = [...names].map((name) => ({
    name,
    description: described.get(name) ?? '',
    operations: operations.filter(({ group }) => group === name),
  }));
  return {
    title: info.title,
    version: info.version,
    description: info.description ?? '',
    groups: groups.filter((group) => group.operations.length > 0),
    operations: new Map(operations.map((operation) => [operation.id, operation])),
    schemas: components.schemas ?? {},
  };
}

function toOperation(
  document: ServedDocument,
  path: string,
  method: string,
  served: ServedOperation,
): ApiOperation {
  const answers = Object.entries(served.responses).map(([status, { description = '', content = {} }]) => ({
    status,
    description,
    contents: Object.entries(content).map(([type, { schema = null }]) => ({ type, schema })),
  }));
  const types = answers.find(({ status }) => status === '200')?.contents.map(({ type }) => type) ?? [];
  return {
    id: served.operationId,
    method: method.toUpperCase(),
    path,
    group: served.tags?.[0] ?? NO_GROUP,
    summary: served.summary ?? '',
    description: served.description ?? '',
    isDeprecated: served.deprecated === true,
    parameters: (served.parameters ?? []).flatMap(toParameter),
    body: served.requestBody === undefined ? null : toBody(served.requestBody),
    answers: answers.sort((one, other) => one.status.localeCompare(other.status)),
    credentials: listCredentials(document, served),
    stream: types.includes(EVENT_STREAM) ? 'events' : types.includes(JSON_LINES) ? 'lines' : null,
    right: served['x-right'] ?? null,
    bucket: served['x-bucket'] ?? null,
    credits: served['x-credits'] ?? null,
  };
}

function toParameter(served: NonNullable<ServedOperation['parameters']>[number]): readonly ApiParameter[] {
  const { name, in: place, required = false, description = '', schema = {}, example } = served;
  if (place !== 'path' && place !== 'query' && place !== 'header') return [];
  return [{ name, place, isRequired: required, description, schema, example }];
}

function toBody({ required = false, content }: NonNullable<ServedOperation['requestBody']>): ApiBody {
  const types = Object.keys(content);
  const media = content[types.includes(JSON_BODY) ? JSON_BODY : (types[0] ?? '')] ?? {};
  const schema = media.schema ?? {};
  return { isRequired: required, kind: getBodyKind(content, schema), types, schema, example: media.example };
}

/** A file may have the type of JSON, too: it is then sent as it is. */
function getBodyKind(content: ServedContent, { format }: SchemaNode): ApiBody['kind'] {
  if (Object.hasOwn(content, FORM_BODY)) return 'form';
  return Object.hasOwn(content, JSON_BODY) && format !== 'binary' ? 'json' : 'file';
}

/** Lists the credentials of all ways to authenticate. One is required if no way goes without it. */
function listCredentials(document: ServedDocument, { security }: ServedOperation): readonly ApiCredential[] {
  const ways = security ?? document.security ?? [];
  return Object.entries(document.components?.securitySchemes ?? {}).flatMap(([name, scheme]) => {
    const isNamed = ways.some((way) => Object.hasOwn(way, name));
    if (!isNamed) return [];
    return [{ name, ...toHeader(scheme), isRequired: ways.every((way) => Object.hasOwn(way, name)) }];
  });
}

function toHeader({ type, name = '', scheme }: ServedScheme): { header: string; prefix: string } {
  return type === 'http' && scheme === 'bearer'
    ? { header: 'authorization', prefix: 'Bearer ' }
    : { header: name, prefix: '' };
}
