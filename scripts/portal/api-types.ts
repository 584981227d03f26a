import type { OpenApiDocument, Operation } from '../../src/gateway/docs/openapi.ts';
import { REFERENCE } from '../../src/gateway/docs/named-schemas.ts';

type TypedSchema = Readonly<Record<string, unknown>>;

const NAME = /^[A-Za-z_$][\w$]*$/;
const JSON_TYPE = 'application/json';

/**
 * Writes the types of all requests and answers of a document: `<prefix>Operations`, by method and path, and
 * `<prefix>Schemas`, by name.
 *
 * @param document - With named schemas.
 * @param prefix - What the names of both types begin with, such as `Public`.
 */
export function writeApiTypes({ paths, components }: OpenApiDocument, prefix: string): string {
  const writer = new TypeWriter(`${prefix}Schemas`);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const key = JSON.stringify(`${method.toUpperCase()} ${path}`);
      return `  ${key}: ${writer.writeOperation(operation)};`;
    }),
  );
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => `  ${writeName(name)}: ${writer.writeType(schema, '  ')};`,
  );
  return [
    '// Generated from the OpenAPI document by `npm run portal:types`. A test fails when it is not up to date.',
    '',
    '/** What each operation takes and answers, by its method and path. */',
    `export interface ${prefix}Operations {`,
    ...operations,
    '}',
    '',
    '/** The objects of requests and answers, by their names in the document. */',
    `export interface ${prefix}Schemas {`,
    ...schemas,
    '}',
    '',
  ].join('\n');
}

class TypeWriter {
  readonly #schemas: string;

  constructor(schemas: string) {
    this.#schemas = schemas;
  }

  writeOperation({ parameters, requestBody, responses }: Operation): string {
    const media = requestBody?.content[JSON_TYPE] as { schema?: TypedSchema } | undefined;
    const answer = responses[200]?.content?.[JSON_TYPE] as { schema?: TypedSchema } | undefined;
    const members = [
      `path: ${this.#writeParameters(parameters, 'path')};`,
      `query: ${this.#writeParameters(parameters, 'query')};`,
      `body: ${media?.schema === undefined ? 'undefined' : this.writeType(media.schema, '    ')};`,
      `answer: ${answer?.schema === undefined ? 'unknown' : this.writeType(answer.schema, '    ')};`,
    ];
    return `{\n${members.map((member) => `    ${member}`).join('\n')}\n  }`;
  }

  /** Writes a schema as a type. An integer is a number, as `JSON.parse` reads it. */
  writeType(schema: unknown, margin: string): string {
    if (typeof schema !== 'object' || schema === null) return 'unknown';
    const {
      $ref: reference,
      type,
      const: constant,
      enum: values,
      anyOf,
      allOf,
      format,
    } = schema as TypedSchema;
    if (typeof reference === 'string')
      return `${this.#schemas}[${JSON.stringify(reference.slice(REFERENCE.length))}]`;
    if (constant !== undefined) return JSON.stringify(constant);
    if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ');
    if (Array.isArray(anyOf)) return this.#writeMembers(anyOf, ' | ', margin);
    if (Array.isArray(allOf)) return this.#writeMembers(allOf, ' & ', margin);
    if (type === 'array') return `readonly ${this.#writeItem((schema as TypedSchema).items, margin)}[]`;
    if (type === 'object') return this.#writeObject(schema as TypedSchema, margin);
    if (type === 'integer') return 'number';
    if (type === 'string' && format === 'binary') return 'Blob';
    return typeof type === 'string' ? type : 'unknown';
  }

  #writeParameters(parameters: Operation['parameters'], place: string): string {
    const members = parameters.filter((each) => each.in === place);
    const lines = members.map(
      ({ name, required, schema }) =>
        `      ${writeName(name)}${required ? '' : '?'}: ${this.writeType(schema, '      ')};`,
    );
    return lines.length === 0 ? 'Record<never, never>' : `{\n${lines.join('\n')}\n    }`;
  }

  #writeMembers(members: readonly unknown[], joint: string, margin: string): string {
    const texts = members.map((member) => {
      const text = this.writeType(member, margin);
      return joint === ' & ' && text.includes(' | ') ? `(${text})` : text;
    });
    return [...new Set(texts)].join(joint);
  }

  #writeItem(items: unknown, margin: string): string {
    const text = this.writeType(items, margin);
    return /^readonly | [|&] /.test(text) && !text.startsWith('{') ? `(${text})` : text;
  }

  #writeObject(schema: TypedSchema, margin: string): string {
    const { properties = {}, required, patternProperties = {}, additionalProperties } = schema;
    const names = Array.isArray(required) ? required : [];
    const inner = `${margin}  `;
    const lines = Object.entries(properties as Record<string, TypedSchema>).flatMap(([name, property]) => {
      const said = writeComment(property, inner);
      const text = `${inner}${writeName(name)}${names.includes(name) ? '' : '?'}: ${this.writeType(property, inner)};`;
      return [...said, text];
    });
    const [others] = [...Object.values(patternProperties as TypedSchema), additionalProperties];
    const hasOthers = typeof others === 'object' && others !== null;
    if (lines.length === 0)
      return hasOthers
        ? `Readonly<Record<string, ${this.writeType(others, margin)}>>`
        : 'Record<string, unknown>';
    return `{\n${lines.join('\n')}\n${margin}}`;
  }
}

function writeComment({ description, deprecated }: TypedSchema, margin: string): readonly string[] {
  const parts = [
    ...(typeof description === 'string' ? [description.replaceAll('*/', '*\u200b/')] : []),
    ...(deprecated === true ? ['@deprecated'] : []),
  ];
  return parts.length === 0 ? [] : [`${margin}/** ${parts.join(' ').replaceAll(/\s*\n\s*/g, ' ')} */`];
}

function writeName(name: string): string {
  return NAME.test(name) ? name : JSON.stringify(name);
}
