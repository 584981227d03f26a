import type { FastifyInstance } from 'fastify';
import { DOCS_HEADERS, OPEN, serveAsset } from '../static-routes.ts';
import { renderPage } from './layout.ts';
import { parseSections } from './markdown.ts';
import { buildNavigation, type DocsPage, readPages } from './pages.ts';
import { readServedFiles } from './served-files.ts';

/** One entry of the search index: a section of a page. The names are short, since there are hundreds. */
interface SearchEntry {
  readonly url: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

/**
 * Registers the documentation site below `/docs`: the project's Markdown pages, the examples and proto files that they
 * name, and the index that the browser searches. A page is rendered at its first request.
 * @param root - The folder of the package.
 * @throws Error if the pages or files cannot be read
 */
export function registerSite(app: FastifyInstance, root: URL): void {
  const pages = readPages(root);
  const files = readServedFiles(root);
  const targets = [...pages, ...files];
  const navigation = buildNavigation(pages);
  for (const page of pages) {
    let html: Buffer | undefined;
    app.get(page.path, OPEN, async (_request, reply) => {
      html ??= Buffer.from(renderPage(page, targets, navigation));
      return reply.headers(DOCS_HEADERS).type('text/html; charset=utf-8').send(html);
    });
  }
  for (const { path, contents } of files)
    app.get(path, OPEN, async (_request, reply) =>
      reply.headers(DOCS_HEADERS).type('text/plain; charset=utf-8').send(contents),
    );
  let index: Buffer | undefined;
  app.get('/docs/search.json', OPEN, async (_request, reply) => {
    index ??= Buffer.from(JSON.stringify(pages.flatMap(searchEntries)));
    return reply.type('application/json; charset=utf-8').send(index);
  });
  serveAsset(app, 'site.css', 'text/css; charset=utf-8');
  serveAsset(app, 'site.js', 'text/javascript; charset=utf-8');
}

function searchEntries({ path, title, markdown }: DocsPage): SearchEntry[] {
  return parseSections(markdown).map(({ heading, anchor, text }) => ({
    url: `${path}#${anchor}`,
    page: title,
    heading,
    text,
  }));
}
