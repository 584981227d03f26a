import type { FastifyInstance } from 'fastify';
import type { OpenApiDocument } from './openapi.ts';
import { renderDocsPage } from './page.ts';
import { DOCS_HEADERS, OPEN, serveAsset } from './static-routes.ts';

/**
 * Registers `/openapi.json` and the API reference, and redirects `/` to `/docs`. Both are built at the first request, when
 * every route is registered.
 * @param path - The path of the API reference.
 */
export function registerDocs(
  app: FastifyInstance,
  buildDocument: () => OpenApiDocument,
  path: '/docs' | '/docs/api',
): void {
  // All answers share these bytes. A string would be copied for each answer, and held while a slow client reads it.
  let document: Buffer | undefined;
  let page: Buffer | undefined;
  const sitePath = path === '/docs' ? null : '/docs';
  app.get('/openapi.json', OPEN, async (_request, reply) => {
    document ??= Buffer.from(JSON.stringify(buildDocument()));
    return reply.type('application/json; charset=utf-8').send(document);
  });
  app.get('/', OPEN, async (_request, reply) => reply.redirect('/docs'));
  app.get(path, OPEN, async (_request, reply) => {
    page ??= Buffer.from(renderDocsPage(buildDocument(), sitePath));
    return reply.headers(DOCS_HEADERS).type('text/html; charset=utf-8').send(page);
  });
  for (const name of ['tokens.css', 'docs.css']) serveAsset(app, name, 'text/css; charset=utf-8');
  for (const name of ['theme.js', 'docs.js']) serveAsset(app, name, 'text/javascript; charset=utf-8');
  serveAsset(app, 'mark.svg', 'image/svg+xml');
}
