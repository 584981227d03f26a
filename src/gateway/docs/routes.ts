import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import type { OpenApiDocument } from './openapi.ts';
import { type Examples, renderDocsPage } from './page.ts';

/** The page loads scripts, styles and data from this server only. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const OPEN = { config: { free: true }, schema: { hide: true } } as const;

const ASSETS = new URL(import.meta.url.endsWith('.ts') ? './assets/' : './docs/', import.meta.url);

/**
 * Registers `/openapi.json` and `/docs`, to which `/` redirects. Both are built at the first request, when every route is
 * registered.
 */
export function registerDocs(
  app: FastifyInstance,
  buildDocument: () => OpenApiDocument,
  examples: Examples,
): void {
  // All answers share these bytes. A string would be copied for each answer, and held while a slow client reads it.
  let document: Buffer | undefined;
  let page: Buffer | undefined;
  app.get('/openapi.json', OPEN, async (_request, reply) => {
    document ??= Buffer.from(JSON.stringify(buildDocument()));
    return reply.type('application/json; charset=utf-8').send(document);
  });
  app.get('/', OPEN, async (_request, reply) => reply.redirect('/docs'));
  app.get('/docs', OPEN, async (_request, reply) => {
    page ??= Buffer.from(renderDocsPage(buildDocument(), examples));
    return reply
      .headers({ 'content-security-policy': POLICY, 'referrer-policy': 'no-referrer' })
      .type('text/html; charset=utf-8')
      .send(page);
  });
  serveAsset(app, 'docs.css', 'text/css; charset=utf-8');
  serveAsset(app, 'docs.js', 'text/javascript; charset=utf-8');
}

function serveAsset(app: FastifyInstance, name: string, type: string): void {
  const contents = readFileSync(new URL(name, ASSETS));
  app.get(`/docs/${name}`, OPEN, async (_request, reply) => reply.type(type).send(contents));
}
