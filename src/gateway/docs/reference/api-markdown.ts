import { REFERENCE } from '../named-schemas.ts';
import { type OpenApiDocument, type Operation, type OperationParameter, STATUS_TEXT } from '../openapi.ts';
import { toTypeText } from './type-text.ts';

type ReferencedSchemas = OpenApiDocument['components']['schemas'];
type AnswerContent = Operation['responses'][string]['content'];

/** The API reference as Markdown. */
export interface ApiMarkdown {
  /** The list of all operations. */
  readonly index: string;
  /** The operations of each tag, by the name of the tag in its path. */
  readonly groups: ReadonlyMap<string, string>;
}

interface OperationGroup {
  readonly tag: string;
  readonly description: string;
  readonly operations: readonly NamedOperation[];
}

interface NamedOperation {
  /** The method and the path. */
  readonly heading: string;
  readonly operation: Operation;
}

/** The body of most errors, which is described once. */
const GATEWAY_ERROR = 'GatewayError';

/**
 * Writes the API reference as Markdown: a list of all operations, and for each tag a page with their parameters, bodies,
 * answers and errors. Types are in the notation of TypeScript.
 * @param path - Where the reference is served as HTML. The pages of the tags are below it.
 */
export function renderApiMarkdown(document: OpenApiDocument, path: string): ApiMarkdown {
  const groups = groupOperations(document);
  const pages = groups.map(
    (group) => [toGroupName(group.tag), renderGroupPage(group, document, path)] as const,
  );
  return { index: renderIndex(document, groups, path), groups: new Map(pages) };
}

/**
 * Writes the part of `/llms.txt` that leads to the API reference.
 * @param path - Where the reference is served as HTML.
 */
export function renderApiLinks(document: OpenApiDocument, path: string): string {
  const groups = groupOperations(document).map(
    ({ tag, description }) => `- [${tag}](${path}/${toGroupName(tag)}.md): ${description}`,
  );
  return [
    '## API',
    '',
    `- [API reference](${path}.md): every operation in one line.`,
    '- [OpenAPI document](/openapi.json): all of it for tools, as OpenAPI 3.1.',
    ...groups,
  ].join('\n');
}

/** Returns the name of a tag in a path. */
function toGroupName(tag: string): string {
  return tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}

function groupOperations({ paths, tags }: OpenApiDocument): readonly OperationGroup[] {
  const groups = new Map<string, NamedOperation[]>();
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags[0] ?? 'other';
      const named = { heading: `${method.toUpperCase()} ${path}`, operation };
      groups.set(tag, [...(groups.get(tag) ?? []), named]);
    }
  return [...groups].map(([tag, operations]) => ({
    tag,
    description: tags.find(({ name }) => name === tag)?.description ?? '',
    operations,
  }));
}

function renderIndex(document: OpenApiDocument, groups: readonly OperationGroup[], path: string): string {
  const { title, version, description } = document.info;
  const sections = groups.map(({ tag, description: said, operations }) => {
    const rows = operations.map(
      ({ heading, operation: { summary = '' } }) => `| \`${heading}\` | ${escapeCell(summary)} |`,
    );
    return joinBlocks([
      `## ${tag}`,
      said,
      `Parameters, bodies, answers and errors: [${tag}](${path}/${toGroupName(tag)}.md)`,
      ['| operation | |', '|---|---|', ...rows].join('\n'),
    ]);
  });
  const schemes = Object.values(document.components.securitySchemes);
  return `${joinBlocks([
    `# ${title} ${version}: API reference`,
    description,
    ...schemes.map((scheme) =>
      scheme.type === 'apiKey'
        ? `An API key is sent in the header \`${scheme.name}\`. Without one, the limits of callers without a key hold.`
        : 'An operation that says so needs a token, sent as `authorization: Bearer ...`.',
    ),
    'The same for tools: [/openapi.json](/openapi.json).',
    ...sections,
  ])}\n`;
}

function renderGroupPage(group: OperationGroup, document: OpenApiDocument, path: string): string {
  const { tag, description, operations } = group;
  const { schemas } = document.components;
  return `${joinBlocks([
    `# ${document.info.title} ${document.info.version}: ${tag}`,
    description,
    `All operations: [API reference](${path}.md).`,
    ...joinAliases(operations, schemas),
    renderSharedErrors(operations),
    renderErrorBodies(operations, schemas),
  ])}\n`;
}

/** Renders operations. Those that are the same under several paths are written once. */
function joinAliases(operations: readonly NamedOperation[], schemas: ReferencedSchemas): readonly string[] {
  const headings = new Map<string, string[]>();
  for (const { heading, operation } of operations) {
    const text = renderOperationMarkdown(operation, schemas);
    headings.set(text, [...(headings.get(text) ?? []), heading]);
  }
  return [...headings].map(([text, [first, ...others]]) => {
    const also = others.map((heading) => `\`${heading}\``).join(', ');
    return joinBlocks([`## ${first}`, also === '' ? '' : `The same as ${also}.`, text]);
  });
}

function renderOperationMarkdown(operation: Operation, schemas: ReferencedSchemas): string {
  const { summary, description, parameters, requestBody, responses, security = [] } = operation;
  const right = operation['x-right'];
  const answers = Object.entries(responses).filter(([status]) => isSuccess(status));
  return joinBlocks([
    summary === undefined ? '' : `**${summary}**`,
    description,
    security.some((one) => 'Bearer' in one) ? 'Needs a token: `authorization: Bearer ...`.' : '',
    right === undefined ? '' : `Right: \`${right}\`.`,
    renderParameters(parameters),
    ...Object.entries(requestBody?.content ?? {}).map(([type, media]) =>
      renderMedia(`Body, \`${type}\``, media, schemas),
    ),
    ...answers.flatMap(([status, { description: said, content }]) =>
      renderAnswer(`Answer ${status}`, said, content, schemas),
    ),
    renderErrors(responses),
  ]);
}

function isSuccess(status: string): boolean {
  return Number(status) < 400;
}

function renderParameters(parameters: readonly OperationParameter[]): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map(({ name, in: place, required, schema, description = '', example }) => {
    const shown = example === undefined ? '' : ` Example: \`${String(example)}\`.`;
    const type = `\`${toTypeText(schema, {})}\``;
    return [`\`${name}\``, place, type, required ? 'yes' : 'no', `${description}${shown}`.trim()];
  });
  return renderTable(['parameter', 'in', 'type', 'required', 'description'], rows);
}

function renderMedia(title: string, media: unknown, schemas: ReferencedSchemas): string {
  const { schema, example } = media as { schema?: unknown; example?: unknown };
  return joinBlocks([
    schema === undefined ? `${title}.` : `${title}:`,
    schema === undefined ? '' : fence(toTypeText(schema, schemas)),
    example === undefined ? '' : `Example:\n\n${fence(JSON.stringify(example, null, 2), 'json')}`,
  ]);
}

function renderAnswer(
  title: string,
  said: string,
  content: AnswerContent,
  schemas: ReferencedSchemas,
): readonly string[] {
  const types = Object.entries(content ?? {});
  if (types.length === 0) return [`${title}: ${said}`];
  return types.map(([type, media]) =>
    renderMedia(`${title}, \`${type}\`. ${said}`.replace(/[.:]$/, ''), media, schemas),
  );
}

interface ErrorRow {
  readonly status: string;
  readonly said: string;
  /** Names of the schemas that the body can have. */
  readonly bodies: readonly string[];
  /** Whether the gateway answers so, in its own form, whatever the operation is. */
  readonly isShared: boolean;
}

function listErrors(responses: Operation['responses']): readonly ErrorRow[] {
  return Object.entries(responses)
    .filter(([status]) => !isSuccess(status))
    .map(([status, { description: said, content }]) => {
      const bodies = listSchemaNames(content);
      const isGateways = bodies.length === 1 && bodies[0] === GATEWAY_ERROR;
      return { status, said, bodies, isShared: isGateways && said === STATUS_TEXT[Number(status)] };
    });
}

function listSchemaNames(content: AnswerContent): readonly string[] {
  const names = Object.values(content ?? {}).flatMap((media) => {
    const { schema } = media as { schema?: { $ref?: string; anyOf?: readonly { $ref?: string }[] } };
    return (schema?.anyOf ?? [schema]).map((one) => one?.$ref?.slice(REFERENCE.length));
  });
  return [...new Set(names.filter((name) => name !== undefined))];
}

/** Renders the errors of one operation. What many operations share is named by its status alone. */
function renderErrors(responses: Operation['responses']): string {
  const errors = listErrors(responses);
  const own = errors.filter(({ isShared }) => !isShared);
  const shared = errors.filter(({ isShared }) => isShared).map(({ status }) => status);
  return joinBlocks([
    own.length === 0 ? '' : renderErrorTable(own),
    shared.length === 0 ? '' : `Errors of the gateway, described below: ${shared.join(', ')}.`,
  ]);
}

function renderSharedErrors(operations: readonly NamedOperation[]): string {
  const shared = operations
    .flatMap(({ operation }) => listErrors(operation.responses))
    .filter(({ isShared }) => isShared);
  const byStatus = new Map(shared.map((row) => [row.status, row]));
  const rows = [...byStatus.values()].sort((one, other) => Number(one.status) - Number(other.status));
  return rows.length === 0 ? '' : joinBlocks(['## Errors of the gateway', renderErrorTable(rows)]);
}

function renderErrorTable(rows: readonly ErrorRow[]): string {
  return renderTable(
    ['error', 'when', 'body'],
    rows.map(({ status, said, bodies }) => [status, said, bodies.map((name) => `\`${name}\``).join(' or ')]),
  );
}

function renderErrorBodies(operations: readonly NamedOperation[], schemas: ReferencedSchemas): string {
  const used = operations.flatMap(({ operation }) =>
    listErrors(operation.responses).flatMap(({ bodies }) => bodies),
  );
  const types = [...new Set(used)]
    .sort()
    .map((name) => `type ${name} = ${toTypeText(schemas[name], schemas)};`);
  return types.length === 0 ? '' : joinBlocks(['## Bodies of errors', fence(types.join('\n\n'))]);
}

function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows.map((row) => row.map(escapeCell))];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** A bar or a line break would end the cell. */
function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ');
}

function fence(code: string, language = 'ts'): string {
  return `\`\`\`${language}\n${code}\n\`\`\``;
}

function joinBlocks(blocks: readonly (string | undefined)[]): string {
  return blocks.filter((block) => block !== undefined && block !== '').join('\n\n');
}
