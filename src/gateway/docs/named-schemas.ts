type SchemaJson = Record<string, unknown>;

/** A document whose schemas stand in the places where they are used. */
interface InlineDocument {
  readonly paths: Record<string, Record<string, InlineOperation>>;
}

interface InlineOperation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: SchemaJson };
  readonly responses: Record<string, { readonly content?: SchemaJson }>;
}

/** What precedes the name of a schema in a reference to it. */
export const REFERENCE = '#/components/schemas/';
/** Members that stay where a schema is used, beside the reference to it. */
const SAID_AT_THE_PLACE = new Set(['description', 'deprecated']);

/**
 * Moves the schemas of objects into `components.schemas` and refers to them, so that generated clients have one type for
 * each. A schema has its own `title` as its name; one without a title is named after its place, such as
 * `GetOrderResponsePlatformFee`, or has the name of an equal schema before it.
 * Returns the same document with references, and the schemas by their names.
 * @throws Error if two schemas that are not equal have the same name
 */
export function nameSchemas<Document extends InlineDocument>(
  document: Document,
): { readonly document: Document; readonly schemas: Record<string, SchemaJson> } {
  const named = new NamedSchemas();
  const referring = mapOperations(document, (operation) => nameOperationSchemas(operation, named));
  return { document: referring, schemas: named.sorted() };
}

/** Replaces each operation of a document by what `change` returns for it. */
export function mapOperations<
  Operation extends InlineOperation,
  Document extends { readonly paths: Record<string, Record<string, Operation>> },
>(document: Document, change: (operation: Operation) => InlineOperation): Document {
  const paths = Object.entries(document.paths).map(([path, operations]) => [
    path,
    Object.fromEntries(Object.entries(operations).map(([method, operation]) => [method, change(operation)])),
  ]);
  return { ...document, paths: Object.fromEntries(paths) };
}

function nameOperationSchemas(operation: InlineOperation, named: NamedSchemas): InlineOperation {
  const { operationId: id, requestBody, responses } = operation;
  const answers = Object.entries(responses).map(([status, response]) => {
    const name = status === '200' ? `${id}Response` : `${id}Response${status}`;
    const { content } = response;
    return [
      status,
      content === undefined ? response : { ...response, content: nameContentSchemas(content, name, named) },
    ];
  });
  return {
    ...operation,
    ...(requestBody === undefined
      ? {}
      : {
          requestBody: {
            ...requestBody,
            content: nameContentSchemas(requestBody.content, `${id}Request`, named),
          },
        }),
    responses: Object.fromEntries(answers),
  };
}

function nameContentSchemas(content: SchemaJson, name: string, named: NamedSchemas): SchemaJson {
  const types = Object.entries(content as Record<string, SchemaJson>).map(([type, { schema, ...rest }]) => [
    type,
    schema === undefined ? rest : { ...rest, schema: named.refer(schema as SchemaJson, name) },
  ]);
  return Object.fromEntries(types);
}

class NamedSchemas {
  /** Schemas by name, with references in place of the objects within them. */
  readonly #schemas = new Map<string, SchemaJson>();
  /** The first name of each schema, by what it says. */
  readonly #names = new Map<string, string>();

  /** Returns the schema, or a reference to it if it describes an object with known members. */
  refer(schema: SchemaJson, place: string): SchemaJson {
    const { title, ...own } = this.#withReferences(schema, (schema.title as string | undefined) ?? place);
    if (own.properties === undefined) return own;
    const said = Object.entries(own).filter(([key]) => SAID_AT_THE_PLACE.has(key));
    const described = Object.fromEntries(Object.entries(own).filter(([key]) => !SAID_AT_THE_PLACE.has(key)));
    const name = this.#nameOf(described, title as string | undefined, place);
    return { $ref: `${REFERENCE}${name}`, ...Object.fromEntries(said) };
  }

  sorted(): Record<string, SchemaJson> {
    return Object.fromEntries([...this.#schemas].sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  #nameOf(schema: SchemaJson, title: string | undefined, place: string): string {
    const text = JSON.stringify(schema);
    const name = title ?? this.#names.get(text) ?? place;
    const known = this.#schemas.get(name);
    if (known !== undefined && JSON.stringify(known) !== text)
      throw new Error(`two schemas that are not equal have the name ${name}`);
    this.#schemas.set(name, schema);
    if (!this.#names.has(text)) this.#names.set(text, name);
    return name;
  }

  /** Replaces the schemas within a schema. */
  #withReferences(schema: SchemaJson, place: string): SchemaJson {
    const members = Object.entries(schema).map(([key, value]) => {
      if (key === 'properties') return [key, this.#members(value as Record<string, SchemaJson>, place)];
      if (key === 'items') return [key, this.refer(value as SchemaJson, `${place}Item`)];
      if (key === 'additionalProperties' && typeof value === 'object')
        return [key, this.refer(value as SchemaJson, `${place}Value`)];
      if (key === 'anyOf' || key === 'allOf') return [key, this.#branches(value as SchemaJson[], place)];
      return [key, value];
    });
    return Object.fromEntries(members);
  }

  #members(properties: Record<string, SchemaJson>, place: string): SchemaJson {
    const members = Object.entries(properties).map(([name, property]) => [
      name,
      this.refer(property, `${place}${toPascalCase(name)}`),
    ]);
    return Object.fromEntries(members);
  }

  /** The only branch with members, beside null for example, is named like the whole. */
  #branches(branches: readonly SchemaJson[], place: string): SchemaJson[] {
    const isNumbered = branches.filter(({ type }) => type === 'object' || type === 'array').length > 1;
    return branches.map((branch, index) => this.refer(branch, isNumbered ? `${place}${index + 1}` : place));
  }
}

/** Writes a text as a name of the document: `chain_id` becomes `ChainId`, and `/tx/v1` becomes `TxV1`. */
export function toPascalCase(text: string): string {
  return text.replaceAll(/(?:^[^a-zA-Z0-9]*|[^a-zA-Z0-9]+)(\w?)/g, (_, first: string) => first.toUpperCase());
}
