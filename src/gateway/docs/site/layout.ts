import { escapeHtml } from '../escape-html.ts';
import { renderHead, renderHeader } from '../header.ts';
import { parseSections, renderMarkdown } from './markdown.ts';
import { toMarkdownPath } from './page-markdown.ts';
import {
  type DocsTarget,
  type NavigationGroup,
  type DocsPage,
  INDEX_PATH,
  isDecisionPage,
  resolveLink,
} from './pages.ts';

/** The site around its pages. */
export interface DocsSite {
  readonly pages: readonly DocsPage[];
  /** What links of the pages can lead to. */
  readonly targets: readonly DocsTarget[];
  readonly navigation: readonly NavigationGroup[];
  readonly hasPortal: boolean;
}

/** Shorter pages are seen as a whole, and have no list of their parts. */
const MIN_PARTS = 3;

/** Renders a page of the site. It can be read without scripts; `search.js` searches, and `site.js` copies. */
export function renderPage(page: DocsPage, site: DocsSite): string {
  const content = renderMarkdown(page.markdown, (target) => resolveLink(page, target, site.targets));
  const markdown = escapeHtml(toMarkdownPath(page.path));
  return `<!doctype html>
<html lang="en">
${renderHead(`${page.title} - Sluice`, ['search.js', 'site.js']).replace('</head>', `<link rel="alternate" type="text/markdown" href="${markdown}">\n</head>`)}
<body>
${renderHeader({ hasPortal: site.hasPortal, isAdmin: false }, page.path)}
<div class="columns">
<details class="navigation" open><summary>Contents</summary><nav aria-label="Documentation">${site.navigation.map((group) => renderGroup(group, page)).join('')}</nav></details>
<main id="main"><article>${content}</article>
${renderNeighbours(page, site)}</main>
<aside>${renderParts(page)}
<p class="as-markdown"><a href="${markdown}">As Markdown</a> <button type="button" data-copy-from="${markdown}" hidden>Copy page</button></p></aside>
</div>
<footer><p>For language models: <a href="/llms.txt">llms.txt</a>, <a href="/llms-full.txt">llms-full.txt</a></p><p><a href="/docs/api">API reference without scripts</a> <a href="/openapi.json">OpenAPI</a></p></footer>
</body>
</html>
`;
}

function renderGroup({ heading, links }: NavigationGroup, page: DocsPage): string {
  const items = links.map(({ label, path }) => {
    const current = path === page.path ? ' aria-current="page"' : '';
    return `<li><a href="${escapeHtml(path)}"${current}>${escapeHtml(label)}</a></li>`;
  });
  return `<h2>${escapeHtml(heading)}</h2><ul>${items.join('')}</ul>`;
}

/** The list of the parts of a page, for wide screens. */
function renderParts({ markdown }: DocsPage): string {
  const parts = parseSections(markdown).filter(({ level }) => level === 2);
  if (parts.length < MIN_PARTS) return '';
  const items = parts.map(
    ({ heading, anchor }) => `<li><a href="#${anchor}">${escapeHtml(heading)}</a></li>`,
  );
  return `<nav class="parts" aria-labelledby="parts"><p id="parts">On this page</p><ul>${items.join('')}</ul></nav>`;
}

/**
 * Links to the pages before and after, in the order of the navigation, which the index begins. Pages that it does not have
 * follow by their files; decisions have an order of their own.
 */
function renderNeighbours(page: DocsPage, { pages, navigation }: DocsSite): string {
  const links = navigation.flatMap((group) => group.links);
  const listed = [INDEX_PATH, ...links.map(({ path }) => path)];
  const isDecision = isDecisionPage(page);
  const order = listed.includes(page.path)
    ? listed
    : pages
        .filter((each) => !listed.includes(each.path) && isDecisionPage(each) === isDecision)
        .map(({ path }) => path);
  const at = order.indexOf(page.path);
  const link = (path: string | undefined, relation: 'prev' | 'next') => {
    const neighbour = pages.find((each) => each.path === path);
    if (neighbour === undefined) return '';
    const label = relation === 'prev' ? 'Previous' : 'Next';
    // The contents say what a page is for, and the reader has seen their words.
    const title = links.find((each) => each.path === path)?.label ?? neighbour.title;
    return `<a rel="${relation}" href="${escapeHtml(neighbour.path)}"><span>${label}</span> ${escapeHtml(title)}</a>`;
  };
  return `<nav class="neighbours" aria-label="Pages before and after">${link(order[at - 1], 'prev')}${link(order[at + 1], 'next')}</nav>`;
}
