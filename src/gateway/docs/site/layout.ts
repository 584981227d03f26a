import { escapeHtml } from '../escape-html.ts';
import { renderMarkdown } from './markdown.ts';
import { type DocsTarget, type NavigationGroup, type DocsPage, resolveLink } from './pages.ts';

/**
 * Renders a page of the site. It can be read without scripts; `site.js` searches.
 * @param targets - What links of the page can lead to.
 */
export function renderPage(
  page: DocsPage,
  targets: readonly DocsTarget[],
  navigation: readonly NavigationGroup[],
): string {
  const content = renderMarkdown(page.markdown, (target) => resolveLink(page, target, targets));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)} - Sluice</title>
<link rel="stylesheet" href="/docs/site.css">
<script src="/docs/site.js" type="module"></script>
</head>
<body>
<header>
<a class="name" href="/docs">Sluice</a>
<search><label>Search <input id="search" type="search" role="combobox" aria-expanded="false" aria-controls="found" aria-autocomplete="list" aria-keyshortcuts="/ Control+K" title="Press / to search, then the arrow keys and Enter" autocomplete="off" spellcheck="false"></label></search>
<a href="/docs/api">API reference</a>
</header>
<div id="results"><p id="search-status" role="status"></p><div id="found" role="listbox" aria-label="Search results" hidden></div></div>
<div class="columns">
<details class="navigation" open><summary>Contents</summary><nav>${navigation.map((group) => renderGroup(group, page)).join('')}</nav></details>
<main>${content}</main>
</div>
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
