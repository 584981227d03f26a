import type { OpenApiDocument, Operation } from '../openapi.ts';
import { toPlainText } from './inline.ts';
import { parseSections } from './markdown.ts';
import type { DocsPage } from './pages.ts';

/** One entry of the search index: a section of a page, or an operation of the API. */
export interface SearchEntry {
  readonly url: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

const API_PAGE = 'API';

/** Returns all sections of the pages and all operations, which `search-ranking.js` ranks in the browser. */
export function buildSearchIndex(
  pages: readonly DocsPage[],
  { paths }: Pick<OpenApiDocument, 'paths'>,
): readonly SearchEntry[] {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => describeOperation(path, method, operation)),
  );
  return [...pages.flatMap(listSections), ...operations];
}

function listSections({ path, title, markdown }: DocsPage): SearchEntry[] {
  return parseSections(markdown).map(({ heading, anchor, text }) => ({
    url: `${path}#${anchor}`,
    page: title,
    heading,
    text,
  }));
}

/** The API reference has an anchor for each operation: its `operationId`. */
function describeOperation(path: string, method: string, operation: Operation): SearchEntry {
  const { operationId, summary = '', description = '', parameters } = operation;
  const named = parameters.map(({ name }) => name).join(', ');
  const text = [summary, description, named === '' ? '' : `Parameters: ${named}`];
  return {
    url: `/docs/api#${operationId}`,
    page: API_PAGE,
    heading: `${method.toUpperCase()} ${path}`,
    text: toPlainText([...text.filter((part) => part !== ''), operationId].join(' · ')),
  };
}
