import { readFileSync } from 'node:fs';
import { escapeHtml } from './escape-html.ts';
import { ASSETS } from './static-routes.ts';

/** What the header of a documentation page leads to. */
export interface HeaderOptions {
  /** Whether the same server has the portal. */
  readonly hasPortal: boolean;
  /** Whether the server is the admin server, which has a reference of its own and no pages to search. */
  readonly isAdmin: boolean;
}

/** The pages of the portal, as its own header lists them. */
const PORTAL_LINKS = [
  ['/portal', 'Start'],
  ['/portal/playground', 'Playground'],
  ['/portal/routes', 'Routes'],
  ['/portal/explorer', 'Explorer'],
  ['/portal/reference', 'API reference'],
] as const;

const MARK = readFileSync(new URL('mark.svg', ASSETS), 'utf8')
  .replace(/<title>.*<\/title>/, '')
  .replace('<svg ', '<svg class="mark" aria-hidden="true" ')
  .trim();

const SEARCH = `<search><label><span class="visually-hidden">Search the documentation</span><input id="search" type="search" role="combobox" aria-expanded="false" aria-controls="found" aria-autocomplete="list" aria-keyshortcuts="/ Control+K" title="Press / to search, then the arrow keys and Enter" placeholder="Search ( / )" autocomplete="off" spellcheck="false"></label></search>`;
const RESULTS = `<div id="results"><p id="search-status" role="status"></p><div id="found" role="listbox" aria-label="Search results" hidden></div></div>`;
const SWITCH = `<button type="button" class="theme" data-switch-theme aria-label="Switch between light and dark" title="Switch between light and dark"><svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round"><path class="moon" d="M16.5 12.2A7 7 0 0 1 7.8 3.5a7 7 0 1 0 8.7 8.7Z" stroke-linejoin="round"/><g class="sun"><circle cx="10" cy="10" r="3.4"/><path d="M10 1.8v2M10 16.2v2M1.8 10h2M16.2 10h2M4.2 4.2l1.4 1.4M14.4 14.4l1.4 1.4M4.2 15.8l1.4-1.4M14.4 5.6l1.4-1.4"/></g></svg></button>`;

/**
 * Renders the head of a page: its title, styles and scripts. Nothing stands inline, which the content policy refuses.
 * @param files - Further styles and scripts, by their names below `/docs`.
 */
export function renderHead(title: string, files: readonly string[]): string {
  const links = ['tokens.css', 'text.css', 'header.css', 'site.css', ...files].map((name) =>
    name.endsWith('.css')
      ? `<link rel="stylesheet" href="/docs/${name}">`
      : `<script src="/docs/${name}" type="module"></script>`,
  );
  return `<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="/docs/mark.svg" type="image/svg+xml">
<script src="/docs/theme.js"></script>
${links.join('\n')}
</head>`;
}

/**
 * Renders the header of a page.
 * @param path - The path of the page.
 */
export function renderHeader({ hasPortal, isAdmin }: HeaderOptions, path: string): string {
  const links = [
    ...(hasPortal ? PORTAL_LINKS : isAdmin ? [] : [['/docs/api', 'API reference'] as const]),
    ['/docs', isAdmin ? 'Admin API' : 'Docs'] as const,
  ];
  // A page without a link of its own is one of those below the last.
  const current = links.some(([href]) => href === path) ? path : '/docs';
  const items = links.map(([href, label]) => {
    const mark = href !== current ? '' : ` aria-current="${href === path ? 'page' : 'true'}"`;
    return `<li><a href="${href}"${mark}>${label}</a></li>`;
  });
  return `<a class="skip" href="#main">Skip to the page</a>
<header class="site"><div class="bar">
<a class="brand" href="${hasPortal ? '/portal' : '/docs'}">${MARK}Sluice</a>
<nav class="pages" aria-label="Site"><ul>${items.join('')}</ul></nav>
${isAdmin ? '' : SEARCH}
${SWITCH}
</div>${isAdmin ? '' : RESULTS}</header>`;
}
