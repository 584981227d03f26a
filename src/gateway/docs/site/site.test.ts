import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../../common/package.ts';
import { closeGateways, createSampleGateway } from '../../../testing/gateway/sample-gateway.ts';
import { buildNavigation, readPages } from './pages.ts';

let app: FastifyInstance;
beforeAll(async () => {
  app = await createSampleGateway();
});
afterAll(closeGateways);

describe('documentation site', () => {
  it('serves every page under a policy that allows only this server', async () => {
    for (const { path, title } of pages) {
      const { statusCode, headers, body } = await app.inject(path);
      expect(statusCode, path).toBe(200);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(headers['content-security-policy']).toContain("script-src 'self'");
      expect(body).toContain('<h1 id=');
      expect(title).not.toBe('');
      // What the policy would block.
      expect(body).not.toMatch(/<script>| style="| on\w+="/);
    }
  });

  it('links to pages, anchors and files that it serves', async () => {
    const broken: string[] = [];
    const bodies = new Map<string, string>();
    for (const { path } of pages) bodies.set(path, (await app.inject(path)).body);
    for (const [path, body] of bodies)
      for (const href of hrefs(body).filter((url) => !url.startsWith('http'))) {
        const { pathname, hash } = new URL(href, `http://sluice${path}`);
        if (!bodies.has(pathname)) bodies.set(pathname, (await app.inject(pathname)).body);
        const isThere = (await app.inject(pathname)).statusCode === 200;
        if (!isThere || (hash !== '' && !bodies.get(pathname)?.includes(`id="${hash.slice(1)}"`)))
          broken.push(`${path} -> ${href}`);
      }
    expect(broken).toEqual([]);
  });

  it('renders all markup that the pages use', async () => {
    for (const { path } of pages) {
      const { body } = await app.inject(path);
      const text = body
        .replaceAll(/<pre[\s\S]*?<\/pre>|<code>[\s\S]*?<\/code>/g, '')
        .replaceAll(/<[^>]*>/g, '');
      expect(text, path).not.toMatch(/\]\(|\*\*|^#+ |`|^\|/m);
    }
  });

  it('has each page of docs/ in its navigation', () => {
    const linked = buildNavigation(pages).flatMap(({ links }) => links.map(({ path }) => path));
    const expected = pages.filter(({ file }) => !/^docs\/(decisions\/\d|README)/.test(file));
    expect(linked.toSorted()).toEqual(expected.map(({ path }) => path).toSorted());
    // Decisions are listed on their own page, not one by one in the index.
    expect(linked).toContain('/docs/decisions');
  });

  it('leads from the index through its contents, and from a decision to decisions only', async () => {
    const neighboursOf = async (path: string) => {
      const { body } = await app.inject(path);
      const [nav = ''] = /<nav class="neighbours".*?<\/nav>/.exec(body) ?? [];
      return hrefs(nav);
    };
    expect(await neighboursOf('/docs')).toEqual(['/docs/readme']);
    expect((await app.inject('/docs')).body).toContain('<span>Next</span> Install Sluice');
    expect(await neighboursOf('/docs/readme')).toEqual(['/docs', '/docs/portal']);
    const decisions = pages.filter(({ file }) => /^docs\/decisions\/\d/.test(file));
    const others = pages.filter((page) => !decisions.includes(page));
    for (const { path } of decisions)
      for (const next of await neighboursOf(path)) expect(next, path).toMatch(/^\/docs\/decisions\/\d/);
    for (const { path } of others)
      for (const next of await neighboursOf(path)) expect(next, path).not.toMatch(/^\/docs\/decisions\/\d/);
  });

  it('has an index of all sections to search', async () => {
    const entries: { url: string; heading: string; text: string }[] = (
      await app.inject('/docs/search.json')
    ).json();
    expect(entries.length).toBeGreaterThan(pages.length);
    expect(entries).toContainEqual(expect.objectContaining({ url: '/docs#operate', heading: 'Operate' }));
  });

  it('has an index of all operations, which the API reference has an anchor for', async () => {
    const entries: { url: string; page: string; heading: string; text: string }[] = (
      await app.inject('/docs/search.json')
    ).json();
    const operations = entries.filter(({ page }) => page === 'API');
    const reference = (await app.inject('/docs/api')).body;
    const { paths } = (await app.inject('/openapi.json')).json();
    expect(operations).toHaveLength(
      Object.values(paths).flatMap((methods) => Object.keys(methods as object)).length,
    );
    for (const { url } of operations) expect(reference).toContain(`id="${url.replace('/docs/api#', '')}"`);
    expect(operations).toContainEqual({
      url: '/docs/api#GetSampleId',
      page: 'API',
      heading: 'GET /sample/{id}',
      text: 'Parameters: id, limit, flag · GetSampleId',
    });
  });

  it('serves the examples and proto files that the pages name, as they are', async () => {
    const files = ['examples/order.ts', 'examples/python/sluice_testing.py', 'proto/market_maker.proto'];
    for (const file of files) {
      const { statusCode, headers, body } = await app.inject(`/docs/${file}`);
      expect(statusCode, file).toBe(200);
      expect(headers['content-type']).toBe('text/plain; charset=utf-8');
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(body).toBe(readFileSync(new URL(file, packageRoot), 'utf8'));
    }
    expect((await app.inject('/docs/makers')).body).toContain('href="/docs/proto/market_maker.proto"');
    for (const path of ['/docs/examples/python/', '/docs/examples/none.py', '/docs/proto/../package.json'])
      expect((await app.inject(path)).statusCode, path).toBe(404);
  });

  it('refuses a page that there is not', async () => {
    for (const path of ['/docs/none', '/docs/..%2fpackage.json', '/docs/none.md', '/docs/README.md'])
      expect((await app.inject(path)).statusCode, path).toBe(404);
  });
});

const pages = readPages(packageRoot);

const hrefs = (html: string) => [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url = '']) => url);
