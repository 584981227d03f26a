import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';

/** The documentation loads scripts, styles and data from this server only. */
export const DOCS_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
} as const;

/** Documentation is open to callers without a key, and is not part of the OpenAPI document. */
export const OPEN = { config: { free: true }, schema: { hide: true } } as const;

/** The folder of styles, scripts and the mark: beside the sources, or in the bundle. */
export const ASSETS = new URL(import.meta.url.endsWith('.ts') ? './assets/' : './docs/', import.meta.url);

/** Serves a file of `assets/` below `/docs`. */
export function serveAsset(app: FastifyInstance, name: string, type: string): void {
  const contents = readFileSync(new URL(name, ASSETS));
  app.get(`/docs/${name}`, OPEN, async (_request, reply) => reply.type(type).send(contents));
}

/** Serves a text in Markdown. @param write - Called at the first request */
export function serveMarkdown(app: FastifyInstance, path: string, write: () => string): void {
  serveWritten(app, path, 'text/markdown; charset=utf-8', write);
}

/** Serves a plain text. @param write - Called at the first request */
export function serveText(app: FastifyInstance, path: string, write: () => string): void {
  serveWritten(app, path, 'text/plain; charset=utf-8', write);
}

/** All answers share the same bytes. A string would be copied for each answer, and held while a slow client reads it. */
function serveWritten(app: FastifyInstance, path: string, type: string, write: () => string): void {
  let text: Buffer | undefined;
  app.get(path, OPEN, async (_request, reply) => {
    text ??= Buffer.from(write());
    return reply.headers(DOCS_HEADERS).type(type).send(text);
  });
}
