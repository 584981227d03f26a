import type { FastifyInstance } from 'fastify';
import { renderApiLinks, renderApiMarkdown } from './api-markdown.ts';
import type { OpenApiDocument } from '../openapi.ts';
import { addVary } from '../../http/vary.ts';
import { renderDocsPage } from './page.ts';
import { DOCS_HEADERS, OPEN, serveAsset, serveMarkdown, serveText } from '../static-routes.ts';

/**
 * Registers `/openapi.json` and the API reference, as HTML and as Markdown, and redirects `/`. They are built at the first
 * request, when every route is registered.
 * @param path - The path of the API reference. At `/docs` it is all documentation that the server has.
 * @param home - Where `/` leads a browser: to the portal, if the server has one. Other clients are sent to `/docs`.
 */
export function registerDocs(
  app: FastifyInstance,
  buildDocument: () => OpenApiDocument,
  path: '/docs' | '/docs/api',
  home = '/docs',
): void {
  // All answers share these bytes. A string would be copied for each answer, and held while a slow client reads it.
  let document: Buffer | undefined;
  let page: Buffer | undefined;
  const isWhole = path === '/docs';
  const hasPortal = home !== '/docs';
  app.get('/openapi.json', OPEN, async (_request, reply) => {
    document ??= Buffer.from(JSON.stringify(buildDocument()));
    return reply.type('application/json; charset=utf-8').send(document);
  });
  app.get('/', OPEN, async ({ headers }, reply) =>
    addVary(reply, 'accept').redirect(acceptsHtml(headers.accept) ? home : '/docs'),
  );
  app.get(path, OPEN, async (_request, reply) => {
    page ??= Buffer.from(renderDocsPage(buildDocument(), { hasPortal, isAdmin: isWhole }));
    return reply.headers(DOCS_HEADERS).type('text/html; charset=utf-8').send(page);
  });
  registerApiMarkdown(app, buildDocument, path);
  if (isWhole) serveText(app, '/llms.txt', () => renderAdminLlmsText(buildDocument(), path));
  for (const name of ['tokens.css', 'text.css', 'header.css', 'site.css', 'docs.css'])
    serveAsset(app, name, 'text/css; charset=utf-8');
  for (const name of ['theme.js', 'site.js', 'docs.js'])
    serveAsset(app, name, 'text/javascript; charset=utf-8');
  serveAsset(app, 'mark.svg', 'image/svg+xml');
}

function registerApiMarkdown(app: FastifyInstance, buildDocument: () => OpenApiDocument, path: string): void {
  let groups: ReadonlyMap<string, Buffer> | undefined;
  serveMarkdown(app, `${path}.md`, () => renderApiMarkdown(buildDocument(), path).index);
  app.get<{ Params: { group: string } }>(`${path}/:group.md`, OPEN, async (request, reply) => {
    groups ??= new Map(
      [...renderApiMarkdown(buildDocument(), path).groups].map(([name, text]) => [name, Buffer.from(text)]),
    );
    const text = groups.get(request.params.group);
    if (text === undefined) return reply.callNotFound();
    return reply.headers(DOCS_HEADERS).type('text/markdown; charset=utf-8').send(text);
  });
}

/** The admin server has no pages of the site, only its reference. */
function renderAdminLlmsText(document: OpenApiDocument, path: string): string {
  return [
    '# Sluice: admin interface',
    '> The interface of operators and of members of organisations: keys, limits, logs, makers, and the controls of the embedded network. All other documentation is on the REST port.',
    `${renderApiLinks(document, path)}\n`,
  ].join('\n\n');
}

/** Whether a client is a browser that shows a page. Others accept anything, or JSON. */
function acceptsHtml(accept = ''): boolean {
  return /\btext\/html\b/i.test(accept);
}
