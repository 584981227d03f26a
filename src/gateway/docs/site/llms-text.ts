import { toMarkdownPath } from './page-markdown.ts';
import type { DocsPage } from './pages.ts';

/** The page whose lists of links `/llms.txt` is made of, and the one whose first paragraph is its summary. */
const INDEX = '/docs';
const README = '/docs/readme';
/** The parts of the index whose pages a client developer needs: `/llms-full.txt` holds them. */
const FULL_PARTS = ['Start', 'Integrate'];
/** What explains the past or the code. A model with little room can leave these out. */
const OPTIONAL = /\]\(\/docs\/(decisions|changelog)\.md\)/;

/**
 * Writes `/llms.txt`: what Sluice is, and a link with a description to each page as Markdown, in the form of llmstxt.org.
 * @param pages - The pages, with the Markdown that the site serves.
 * @param apiLinks - The part about the API reference.
 */
export function renderLlmsText(pages: readonly DocsPage[], apiLinks: string): string {
  const parts = listIndexParts(pages);
  const isOptional = (line: string) => OPTIONAL.test(line);
  const sections = parts.map(
    ({ heading, links }) => `## ${heading}\n\n${links.filter((line) => !isOptional(line)).join('\n')}`,
  );
  const optional = parts.flatMap(({ links }) => links.filter(isOptional));
  return `${[
    '# Sluice',
    `> ${getSummary(pages)}`,
    'Every page of the documentation is also served as Markdown, at its path and `.md`. Paths are those of this server.',
    apiLinks,
    '## Everything\n\n- [All pages for client developers](/llms-full.txt): the sections Start and Integrate in one file.',
    ...sections,
    `## Optional\n\n${optional.join('\n')}`,
  ].join('\n\n')}\n`;
}

/**
 * Writes `/llms-full.txt`: the pages that a client developer needs, one after the other.
 * @param pages - The pages, with the Markdown that the site serves.
 */
export function renderLlmsFullText(pages: readonly DocsPage[]): string {
  const parts = listIndexParts(pages).filter(({ heading }) => FULL_PARTS.includes(heading));
  const links = parts.flatMap((part) => part.links);
  const included = pages.filter((page) =>
    links.some((line) => line.includes(`](${toMarkdownPath(page.path)})`)),
  );
  return `${[
    '# Sluice',
    `> ${getSummary(pages)}`,
    'These are the pages for those who write clients. The pages for makers and operators, the API reference, the decisions and the changes by version are left out: [/llms.txt](/llms.txt) links to them.',
    ...included.map(({ path, markdown }) => `---\n\nPage: ${toMarkdownPath(path)}\n\n${markdown.trim()}`),
  ].join('\n\n')}\n`;
}

interface IndexPart {
  readonly heading: string;
  /** The items that begin with a link, as they are written. */
  readonly links: readonly string[];
}

function listIndexParts(pages: readonly DocsPage[]): readonly IndexPart[] {
  const index = pages.find(({ path }) => path === INDEX);
  const parts = index?.markdown.split(/^## /m).slice(1) ?? [];
  return parts.map((part) => ({
    heading: part.slice(0, part.indexOf('\n')),
    links: part.split('\n').filter((line) => line.startsWith('- [')),
  }));
}

/** Returns the first two sentences of the README, in one line. */
function getSummary(pages: readonly DocsPage[]): string {
  const readme = pages.find(({ path }) => path === README);
  const paragraph = readme?.markdown.split('\n\n').find((block) => !block.startsWith('#')) ?? '';
  return paragraph
    .replaceAll('\n', ' ')
    .split(/(?<=\.) /)
    .slice(0, 2)
    .join(' ');
}
