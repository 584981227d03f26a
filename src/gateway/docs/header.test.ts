import { describe, expect, it } from 'vitest';
import { renderHead, renderHeader } from './header.ts';

describe('renderHeader', () => {
  it('leads to the pages of the portal, as its own header does', () => {
    const header = renderHeader({ hasPortal: true, isAdmin: false }, '/docs/swap');
    expect(linksOf(header)).toEqual([
      '/portal Start',
      '/portal/playground Playground',
      '/portal/routes Routes',
      '/portal/explorer Explorer',
      '/portal/reference API reference',
      '/docs Docs',
    ]);
    expect(header).toContain('<a class="brand" href="/portal">');
    expect(header).toContain('<a href="/docs" aria-current="true">Docs</a>');
  });

  it('has no link to the portal where there is none', () => {
    const header = renderHeader({ hasPortal: false, isAdmin: false }, '/docs/api');
    expect(linksOf(header)).toEqual(['/docs/api API reference', '/docs Docs']);
    expect(header).not.toContain('/portal');
    expect(header).toContain('<a href="/docs/api" aria-current="page">API reference</a>');
    expect(header).toContain('id="search"');
  });

  it('has no search on the admin server, whose only page is its reference', () => {
    const header = renderHeader({ hasPortal: false, isAdmin: true }, '/docs');
    expect(linksOf(header)).toEqual(['/docs Admin API']);
    expect(header).not.toContain('id="search"');
    expect(linksOf(renderHeader({ hasPortal: true, isAdmin: true }, '/docs'))).toHaveLength(6);
  });

  it('has nothing inline that the content policy refuses', () => {
    const html =
      renderHead('A < B', ['site.js']) + renderHeader({ hasPortal: true, isAdmin: false }, '/docs');
    expect(html).toContain('<title>A &lt; B</title>');
    expect(html).not.toMatch(/<style|<script>| style=| on\w+=/);
  });
});

const linksOf = (header: string) =>
  [...header.matchAll(/<li><a href="([^"]+)"[^>]*>([^<]+)</g)].map(([, href, label]) => `${href} ${label}`);
