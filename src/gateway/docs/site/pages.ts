import { readdirSync, readFileSync } from 'node:fs';
import { parseSections } from './markdown.ts';

/** Matches the comments between which scripts write the generated parts of a page. */
const COMMENT = /^<!--.*-->\n/gm;

/** A file of the package, and where the site serves it. */
export interface DocsTarget {
  /** The file, from the root of the package on. */
  readonly file: string;
  readonly path: string;
}

/** A page of the documentation site. */
export interface DocsPage extends DocsTarget {
  readonly title: string;
  readonly markdown: string;
}

/** The page at `/docs`. Its lists of links are the navigation of all pages. */
const INDEX = 'docs/README.md';

/** Where the index is served. */
export const INDEX_PATH = '/docs';

/** The page of all decisions, to which the site adds the list of them. */
const DECISIONS = 'docs/decisions/README.md';

/** Files outside `docs/` that are pages of the site too. */
const OUTSIDE: Readonly<Record<string, string>> = {
  'README.md': '/docs/readme',
  'CHANGELOG.md': '/docs/changelog',
  'examples/README.md': '/docs/examples',
};

/**
 * Reads the pages of the site.
 * @param root - The folder of the package, with a slash at the end.
 * @throws Error if a file cannot be read
 */
export function readPages(root: URL): readonly DocsPage[] {
  const inDocs = readdirSync(new URL('docs/', root), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`);
  const pages = [...Object.keys(OUTSIDE), ...inDocs].sort().map((file) => {
    const markdown = readFileSync(new URL(file, root), 'utf8').replaceAll(COMMENT, '');
    const title = parseSections(markdown)[0]?.heading ?? file;
    return { file, path: toPagePath(file), title, markdown };
  });
  return pages.map((page) =>
    page.file === DECISIONS ? { ...page, markdown: `${page.markdown}\n${listDecisions(pages)}\n` } : page,
  );
}

/** Lists the decisions by number, the latest first. Their titles begin with their numbers. */
function listDecisions(pages: readonly DocsPage[]): string {
  return pages
    .filter(isDecisionPage)
    .reverse()
    .map(({ file, title }) => `- [${title}](${file.slice('docs/decisions/'.length)})`)
    .join('\n');
}

/** Whether a page is the record of one decision. Their files begin with their numbers. */
export function isDecisionPage({ file }: DocsTarget): boolean {
  return /^docs\/decisions\/\d/.test(file);
}

function toPagePath(file: string): string {
  return OUTSIDE[file] ?? `/${file.replace(/\/README\.md$|\.md$/, '')}`;
}

/** Returns where a link of `page` leads on the site, or null if what it names is not on the site. */
export function resolveLink(page: DocsPage, target: string, targets: readonly DocsTarget[]): string | null {
  if (/^https?:/.test(target)) return target;
  const { pathname, hash } = new URL(target, `file:///${page.file}`);
  const found = targets.find(({ file }) => `/${file}` === pathname);
  return found === undefined ? null : `${found.path}${hash}`;
}

/** Links of the navigation under one heading. */
export interface NavigationGroup {
  readonly heading: string;
  readonly links: readonly { readonly label: string; readonly path: string }[];
}

/** Returns the navigation: the items of the index that begin with a link to a page, by their heading. */
export function buildNavigation(pages: readonly DocsPage[]): readonly NavigationGroup[] {
  const index = pages.find(({ file }) => file === INDEX);
  if (index === undefined) return [];
  const parts = index.markdown.split(/^## /m).slice(1);
  return parts.map((part) => ({
    heading: part.slice(0, part.indexOf('\n')),
    links: [...part.matchAll(/^- \[([^\]]*)\]\(([^)]*)\)/gm)].flatMap(([, label = '', target = '']) => {
      const path = resolveLink(index, target, pages);
      // A section is no page of its own.
      return path === null || path.includes('#') ? [] : [{ label, path }];
    }),
  }));
}
