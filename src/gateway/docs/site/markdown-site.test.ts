import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../../common/package.ts';
import { closeGateways, createSampleGateway } from '../../../testing/gateway/sample-gateway.ts';
import { parseSections } from './markdown.ts';
import { toMarkdownPath } from './page-markdown.ts';
import { readPages } from './pages.ts';

let app: FastifyInstance;
beforeAll(async () => {
  app = await createSampleGateway();
});
afterAll(closeGateways);

describe('documentation as Markdown', () => {
  it('serves every page at its path with .md', async () => {
    for (const page of pages) {
      const { statusCode, headers, body } = await app.inject(toMarkdownPath(page.path));
      expect(statusCode, page.path).toBe(200);
      expect(headers['content-type']).toBe('text/markdown; charset=utf-8');
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(parseSections(body)[0]?.heading).toBe(page.title);
      // Only the targets of links differ from the file.
      expect(withoutLinks(body)).toBe(withoutLinks(page.markdown));
    }
  });

  it('links to Markdown, headings and files that it serves', async () => {
    const broken: string[] = [];
    for (const { path } of pages)
      for (const target of linksOf((await app.inject(toMarkdownPath(path))).body))
        if (!(await isServed(target))) broken.push(`${path} -> ${target}`);
    expect(broken).toEqual([]);
  });

  it('leaves code as it stands, and shows the label of a link that leads nowhere', async () => {
    const { body } = await app.inject('/docs/readme.md');
    expect(body).toContain('[docs/swap.md](/docs/swap.md)');
    expect(body).not.toMatch(/\]\((?!\/|https?:)/);
    expect(body).toContain('how close they are');
    expect((await app.inject('/docs/decisions.md')).body).toContain(
      '- [6. The documentation page is our own](/docs/decisions/0006-documentation-page.md)',
    );
  });
});

describe('/llms.txt', () => {
  it('links to each page of the index, with a description', async () => {
    const { headers, body } = await app.inject('/llms.txt');
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(body).toMatch(/^# Sluice\n\n> Sluice is a self-hosted DeFi gateway for Solana\. [^\n]*\n\n/);
    const links = body.split('\n').filter((line) => line.startsWith('- '));
    for (const line of links) expect(line).toMatch(/^- \[[^\]]+\]\(\/[^)]+\)(:| [a-z]|, [a-z]).+$/);
    for (const target of linksOf(body)) expect(await isServed(target), target).toBe(true);
    const index = linksOf((await app.inject('/docs.md')).body);
    expect(linksOf(body)).toEqual(expect.arrayContaining(index));
    expect(body).toContain('- [API reference](/docs/api.md)');
    expect(body).toMatch(/## Optional\n\n- \[Decisions .*\n- \[Changes .*\n$/);
  });
});

describe('/llms-full.txt', () => {
  it('holds the pages for client developers, and says what it leaves out', async () => {
    const { headers, body } = await app.inject('/llms-full.txt');
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    const paths = [...body.matchAll(/^Page: (.*)$/gm)].map(([, path = '']) => path);
    expect(paths).toEqual(
      expect.arrayContaining(['/docs/readme.md', '/docs/swap.md', '/docs/errors.md', '/docs/glossary.md']),
    );
    expect(paths).not.toContain('/docs/changelog.md');
    expect(paths.filter((path) => /decisions|operation|makers/.test(path))).toEqual([]);
    expect(body).toContain((await app.inject('/docs/swap.md')).body.trim());
    expect(body).toMatch(/left out: \[\/llms\.txt\]/);
    // A model reads it as a whole.
    expect(body.length).toBeLessThan(600_000);
  });
});

const pages = readPages(packageRoot);

const LINK = /\[((?:[^\]`]|`[^`]*`)*)\]\(([^)\s]*)\)/g;
const withoutCode = (text: string) => text.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/`[^`]*`/g, '');
const withoutLinks = (text: string) => text.replaceAll(LINK, '$1');
const linksOf = (text: string) =>
  [...withoutCode(text).matchAll(LINK)]
    .map(([, , target = '']) => target)
    .filter((url) => !url.startsWith('http'));

async function isServed(target: string): Promise<boolean> {
  const { pathname, hash } = new URL(target, 'http://sluice');
  const { statusCode, body } = await app.inject(pathname);
  if (statusCode !== 200 || hash === '') return statusCode === 200;
  const anchors = [...parseSections(body).map(({ anchor }) => `#${anchor}`), ...listAnchors(body)];
  return anchors.includes(hash);
}

const listAnchors = (text: string) => [...text.matchAll(/<a id="([\w-]+)">/g)].map(([, id]) => `#${id}`);
