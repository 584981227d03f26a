import type { FastifyInstance } from 'fastify';
import { renderApiLinks } from '../reference/api-markdown.ts';
import type { OpenApiDocument } from '../openapi.ts';
import { DOCS_HEADERS, OPEN, serveAsset, serveMarkdown, serveText } from '../static-routes.ts';
import { renderPage } from './layout.ts';
import { renderLlmsFullText, renderLlmsText } from './llms-text.ts';
import { toMarkdownPath, toSiteMarkdown } from './page-markdown.ts';
import { buildNavigation, type DocsPage, readPages } from './pages.ts';
import { buildSearchIndex } from './search-index.ts';
import { readServedFiles } from './served-files.ts';

/**
 * Registers the documentation site below `/docs`: the project's pages, as HTML and as Markdown, the examples and proto
 * files that they name, the index that the browser searches, and `/llms.txt`. A page is rendered at its first request.
 * @param root - The folder of the package.
 * @param buildDocument - Called at the first search, when every route is registered, for the operations to be found.
 * @param hasPortal - Whether the header leads to the portal.
 * @throws Error if the pages or files cannot be read
 */
export function registerSite(
  app: FastifyInstance,
  root: URL,
  buildDocument: () => OpenApiDocument,
  hasPortal = false,
): void {
  const pages = readPages(root);
  const files = readServedFiles(root);
  const targets = [...pages, ...files];
  const site = { pages, targets, navigation: buildNavigation(pages), hasPortal };
  const write = (page: DocsPage) => toSiteMarkdown(page, pages, targets);
  const writeAll = () => pages.map((page) => ({ ...page, markdown: write(page) }));
  for (const page of pages) serveMarkdown(app, toMarkdownPath(page.path), () => write(page));
  serveText(app, '/llms.txt', () => renderLlmsText(writeAll(), renderApiLinks(buildDocument(), '/docs/api')));
  serveText(app, '/llms-full.txt', () => renderLlmsFullText(writeAll()));
  for (const page of pages) {
    let html: Buffer | undefined;
    app.get(page.path, OPEN, async (_request, reply) => {
      html ??= Buffer.from(renderPage(page, site));
      return reply.headers(DOCS_HEADERS).type('text/html; charset=utf-8').send(html);
    });
  }
  for (const { path, contents } of files)
    app.get(path, OPEN, async (_request, reply) =>
      reply.headers(DOCS_HEADERS).type('text/plain; charset=utf-8').send(contents),
    );
  let index: Buffer | undefined;
  app.get('/docs/search.json', OPEN, async (_request, reply) => {
    index ??= Buffer.from(JSON.stringify(buildSearchIndex(pages, buildDocument())));
    return reply.type('application/json; charset=utf-8').send(index);
  });
  for (const name of ['search.js', 'search-ranking.js'])
    serveAsset(app, name, 'text/javascript; charset=utf-8');
}
