import { escapeHtml } from '../escape-html.ts';
import { type HeaderOptions, renderHead, renderHeader } from '../header.ts';
import type { OpenApiDocument, Operation, OperationParameter } from '../openapi.ts';
import { toTypeText } from './type-text.ts';

type Content = Operation['responses'][string]['content'];
type DocumentSchemas = OpenApiDocument['components']['schemas'];

/** How answers that go on are sent, by their media type. */
const STREAMED: Readonly<Record<string, string>> = {
  'text/event-stream': 'A stream of server-sent events. The data of each one is:',
  'application/x-ndjson': 'A stream of lines, each of them JSON:',
};

/**
 * Renders the API reference as one HTML page. It can be read without scripts; `docs.js` sends the forms.
 * @param header - What the header leads to. The admin server has no other documentation.
 */
export function renderDocsPage(document: OpenApiDocument, header: HeaderOptions): string {
  const { title, version, description } = document.info;
  const path = header.isAdmin ? '/docs' : '/docs/api';
  const operations = Object.entries(document.paths).flatMap(([at, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path: at,
      method: method.toUpperCase(),
      operation,
    })),
  );
  const tags = [...new Set(operations.map(({ operation }) => operation.tags[0] ?? 'other'))];
  const site = header.isAdmin ? '' : ' <a href="/docs">All documentation</a>.';
  const sections = tags.map((tag) => {
    const own = operations.filter(({ operation }) => (operation.tags[0] ?? 'other') === tag);
    const said = document.tags.find(({ name }) => name === tag)?.description ?? '';
    return `<section id="${escapeHtml(tag)}"><h2>${escapeHtml(tag)}</h2><p>${renderText(said)}</p>${own.map((entry) => renderOperation(entry, document.components.schemas)).join('')}</section>`;
  });
  const scripts = header.isAdmin ? ['docs.css', 'docs.js'] : ['docs.css', 'docs.js', 'search.js'];
  return `<!doctype html>
<html lang="en">
${renderHead(`${title} ${version}: API reference`, [...scripts, 'site.js'])}
<body>
${renderHeader(header, path)}
<div class="columns wide">
<details class="navigation" open><summary>Contents</summary><nav aria-label="Operations"><ul>${tags.map((tag) => `<li><a href="#${escapeHtml(tag)}">${escapeHtml(tag)}</a></li>`).join('')}</ul></nav></details>
<main id="main"><h1>${header.isAdmin ? 'Admin API' : 'API reference'} <small>${escapeHtml(title)} ${escapeHtml(version)}</small></h1>
<p>${escapeHtml(description)} The same <a href="${path}.md">as Markdown</a>, and for tools: <a href="/openapi.json">/openapi.json</a>.${site}</p>
${renderCredential(document)}
${sections.join('')}</main>
</div>
</body>
</html>
`;
}

/** The field for the credential, with which `docs.js` sends each form: in the header that the document asks for. */
function renderCredential({ components }: OpenApiDocument): string {
  const [scheme] = Object.values(components.securitySchemes);
  if (scheme === undefined) return '';
  const { what, header, prefix } =
    scheme.type === 'http'
      ? { what: "Operator's credential or member's token", header: 'authorization', prefix: 'Bearer ' }
      : { what: 'API key', header: scheme.name, prefix: '' };
  return `<label>${escapeHtml(what)}, sent as ${escapeHtml(`${header}: ${prefix}...`)} when it is not empty <input id="credential" data-header="${escapeHtml(header)}" data-prefix="${escapeHtml(prefix)}" autocomplete="off" spellcheck="false"></label>`;
}

interface OperationEntry {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

function renderOperation({ path, method, operation }: OperationEntry, schemas: DocumentSchemas): string {
  const { summary = '', description = '', operationId, parameters, requestBody, responses } = operation;
  const rows = Object.entries(responses).map(
    ([status, { description: what, content }]) =>
      `<details><summary>${escapeHtml(status)} ${renderText(what)}</summary>${renderContent(content, schemas)}</details>`,
  );
  return `<details class="operation" id="${escapeHtml(operationId)}">
<summary><b class="${method.toLowerCase()}">${method}</b> <code>${escapeHtml(path)}</code> ${renderText(summary)}</summary>
<p>${renderText(description)}</p>
<form data-method="${method}" data-path="${escapeHtml(path)}">
${[...(needsToken(operation) ? [TOKEN_HEADER] : []), ...parameters].map((each) => renderParameter(each)).join('\n')}
${requestBody === undefined ? '' : renderBody(requestBody.content, schemas)}
${takesUpload(requestBody?.content) ? '' : '<button>Send</button>'}
<button type="reset" hidden>Stop</button>
<output></output>
</form>
<h3>Answers</h3>${rows.join('')}
</details>`;
}

/** The field for a JSON body. The forms of the page send no other. */
function renderBody(content: NonNullable<Content>, schemas: DocumentSchemas): string {
  const types = Object.keys(content).map((type) => `<code>${escapeHtml(type)}</code>`);
  const field = takesUpload(content)
    ? `<p>The body is of the type ${types.join(' or ')}. It cannot be sent from this page.</p>`
    : `<label>Body (JSON)<textarea name="body" data-in="body" rows="8" spellcheck="false">${escapeHtml(formatBodyExample(content))}</textarea></label>`;
  return `${field}${renderContent(content, schemas)}`;
}

/** Whether a body is a file or a form. */
function takesUpload(content: Content): boolean {
  return Object.entries(content ?? {}).some(
    ([type, media]) =>
      type !== 'application/json' || (media as { schema?: { format?: string } }).schema?.format === 'binary',
  );
}

/** The token of an operation that names one, beside the credential that the page sends with every request. */
const TOKEN_HEADER: OperationParameter = {
  name: 'authorization',
  in: 'header',
  required: false,
  description: '`Bearer` and, after a blank, the token.',
  schema: { type: 'string' },
};

function needsToken({ security = [] }: Operation): boolean {
  return security.some((one) => 'Bearer' in one);
}

function renderParameter({
  name,
  in: place,
  required,
  description = '',
  schema,
  example = '',
}: OperationParameter): string {
  return `<label><span><code>${escapeHtml(name)}</code> ${escapeHtml(toTypeText(schema, {}))} ${place}${required ? ', <em>required</em>' : ''}</span>
<input name="${escapeHtml(name)}" data-in="${place}" value="${escapeHtml(String(example))}"${required ? ' required' : ''} autocomplete="off" spellcheck="false">
<small>${renderText(description)}</small></label>`;
}

/** Escapes a text of the document. What stands in backticks is code. */
function renderText(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

function formatBodyExample(content: Content): string {
  const { example } = (content?.['application/json'] ?? {}) as { example?: unknown };
  return example === undefined ? '' : JSON.stringify(example, null, 2);
}

function renderContent(content: Content, schemas: DocumentSchemas): string {
  return Object.entries(content ?? {})
    .map(([type, media]) => {
      const { schema } = media as { schema?: unknown };
      if (schema === undefined) return '';
      const said = STREAMED[type];
      return `${said === undefined ? '' : `<p>${said}</p>`}<pre tabindex="0">${renderType(toTypeText(schema, schemas))}</pre>`;
    })
    .join('');
}

/** Shows the comments of a type in their colour. A grammar would take half a second for all types of the page. */
function renderType(text: string): string {
  return escapeHtml(text).replaceAll(/ {2}\/\/ .*$/gm, '<span class="hljs-comment">$&</span>');
}
