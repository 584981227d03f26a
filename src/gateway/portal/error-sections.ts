import { readFileSync } from 'node:fs';
import { replaceLinkTargets } from '../docs/site/inline.ts';
import { parseTableCells, toAnchor } from '../docs/site/markdown.ts';

/** A part of the page of errors, for the requests that it is about. */
export interface ErrorSection {
  readonly title: string;
  /** The anchor of the section on the page. */
  readonly anchor: string;
  readonly scope: ErrorScope;
  readonly blocks: readonly ErrorBlock[];
}

/** Which requests a section is about: all, those of the admin port, or those of a group whose path has a part. */
export type ErrorScope =
  | { readonly kind: 'all' | 'admin' }
  | {
      readonly kind: 'tag';
      readonly tag: string;
      /** Null: all operations of the group. */
      readonly pathPart: string | null;
    };

/** Texts have code in backticks, and no other markup. */
export type ErrorBlock =
  | { readonly kind: 'heading' | 'text'; readonly text: string }
  | {
      readonly kind: 'table';
      readonly headings: readonly string[];
      readonly rows: readonly (readonly string[])[];
    }
  /** The texts of refusals, with `…` for a value of the request or of the network. */
  | { readonly kind: 'texts'; readonly lines: readonly string[] };

const ofTag = (tag: string, pathPart: string | null = null): ErrorScope => ({ kind: 'tag', tag, pathPart });

/** What the sections of the page are about, by their headings up to a colon. */
const SCOPES: ReadonlyMap<string, ErrorScope> = new Map([
  ['REST', { kind: 'all' }],
  ['Swap', ofTag('swap')],
  ['Order', ofTag('swap', '/order')],
  ['Execute', ofTag('swap', '/execute')],
  ['Swap v1', ofTag('swap', '/swap/v1/')],
  ['Lend', ofTag('lend')],
  ['Tokens', ofTag('tokens')],
  ['Ultra', ofTag('ultra')],
  ['Trigger', ofTag('trigger', '/trigger/v2/')],
  ['Limit orders on the chain', ofTag('trigger', '/trigger/v1/')],
  ['Recurring orders', ofTag('recurring')],
  ['Send', ofTag('send')],
  ['Prediction markets', ofTag('prediction')],
  ['Studio', ofTag('studio')],
  ['Landing', ofTag('landing')],
  ['What makers read', ofTag('market-making')],
  ['Admin port', { kind: 'admin' }],
]);
/** Sections that are not about requests to the REST interface. */
const OTHER_SECTIONS: ReadonlySet<string> = new Set(['Find the cause', 'Makers', 'Embedded network']);
const COMMENT = /^<!--.*-->$/;
const HEADING = /^(#{2,3}) (.*)$/;

/**
 * Reads the sections of `docs/errors.md`.
 * @param root - The folder of the package, with a slash at the end.
 */
export function readErrorSections(root: URL): readonly ErrorSection[] {
  return parseErrorSections(readFileSync(new URL('docs/errors.md', root), 'utf8'));
}

/**
 * Parses the page of errors.
 * @throws Error if the page has a section of which it is not known what requests it is about
 */
export function parseErrorSections(markdown: string): readonly ErrorSection[] {
  const parts = markdown.split(/^(?=## )/m).filter((part) => part.startsWith('## '));
  return parts.flatMap((part) => {
    const [head = '', ...lines] = part.split('\n');
    const heading = head.replace(/^## /, '');
    const subject = heading.replace(/:.*$/, '');
    if (OTHER_SECTIONS.has(subject)) return [];
    const scope = SCOPES.get(subject);
    if (scope === undefined) throw new Error(`the section "${heading}" of docs/errors.md has no scope`);
    return [{ title: heading, anchor: toAnchor(heading), scope, blocks: parseBlocks(lines) }];
  });
}

function parseBlocks(lines: readonly string[]): readonly ErrorBlock[] {
  const blocks: ErrorBlock[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? '';
    const end = findBlockEnd(lines, at);
    if (line.startsWith('```'))
      blocks.push({ kind: 'texts', lines: lines.slice(at + 1, end - 1).filter((each) => each !== '') });
    else if (line.startsWith('|')) blocks.push(parseTable(lines.slice(at, end)));
    else if (HEADING.test(line)) blocks.push({ kind: 'heading', text: HEADING.exec(line)?.[2] ?? '' });
    else if (line.trim() !== '' && !COMMENT.test(line))
      blocks.push({ kind: 'text', text: toProse(lines.slice(at, end).join(' ')) });
    at = end;
  }
  return blocks;
}

/** Returns the index of the line after the block that begins at one. */
function findBlockEnd(lines: readonly string[], at: number): number {
  const first = lines[at] ?? '';
  const isWithin = (line: string): boolean => {
    if (first.startsWith('|')) return line.startsWith('|');
    if (first === '' || COMMENT.test(first) || HEADING.test(first)) return false;
    return line !== '' && !/^(?:```|\||<!--|#)/.test(line);
  };
  if (first.startsWith('```')) {
    const closing = lines.indexOf('```', at + 1);
    return closing < 0 ? lines.length : closing + 1;
  }
  let end = at + 1;
  while (end < lines.length && isWithin(lines[end] ?? '')) end++;
  return end;
}

function parseTable(lines: readonly string[]): ErrorBlock {
  const [headings = [], , ...rows] = lines.map((line) => parseTableCells(line).map(toProse));
  return { kind: 'table', headings, rows };
}

/** Removes the markup of links and emphasis, and keeps the backticks of code. */
function toProse(text: string): string {
  return replaceLinkTargets(text, () => null).replaceAll('**', '');
}
