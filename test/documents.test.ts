import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../', import.meta.url);
const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'programs/README.md', 'examples/README.md'],
  ...readdirSync(new URL('docs', root), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
];

describe.each(pages)('%s', (page) => {
  const source = readFileSync(new URL(page, root), 'utf8');
  const text = source.replace(/^```[\s\S]*?^```/gm, '');

  it('names files and folders that exist', () => {
    const named = [...text.matchAll(PATH)].map(([, path]) => path ?? '');
    expect(named.filter((path) => !isThere(path))).toEqual([]);
  });

  it('links to pages and headings that exist', () => {
    const broken = [...text.matchAll(LINK)].filter(([, target = '', anchor]) => {
      const file = target === '' ? new URL(page, root) : new URL(target, new URL(page, root));
      if (!existsSync(file)) return true;
      return anchor !== undefined && !anchorsOf(readFileSync(file, 'utf8')).includes(anchor);
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });

  const shown = [...source.matchAll(EXAMPLE)].map(([, file = '', code]) => ({ file, code }));
  it.runIf(shown.length > 0)('shows examples as they are', () => {
    const files = shown.map(({ file }) => ({ file, code: readFileSync(new URL(file, root), 'utf8') }));
    expect(shown).toEqual(files);
  });
});

/** What stands in backticks and begins with a folder of the project is a path, unless it names a pattern. */
const PATH = /`((?:src|test|scripts|docs|bench|examples|programs|proto|bin)\/[\w./-]*)`/g;
const LINK = /\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g;
/** A file of the examples or of the tests, and the code below its name. */
const EXAMPLE = /^<!-- ((?:examples|test)\/\S+) -->\n(?:```\w+\n([\s\S]*?)^```$)?/gm;

/** Pages on the programs name a file of the shared crate from its own folder on. */
const isThere = (path: string) =>
  [root, new URL('programs/base/', root)].some((folder) => existsSync(new URL(path, folder)));

/** Of headings as they are rendered, and those that a page sets itself. */
function anchorsOf(text: string): readonly string[] {
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
  const own = [...text.matchAll(/<a id="([^"]*)">/g)].map(([, id = '']) => id);
  return [...headings, ...own];
}
