import { readFileSync } from 'node:fs';
import type { ProductDescription } from '../../products/product.ts';
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

/** The sections about requests that belong to no product, by their headings up to a colon. */
const GATEWAY_SCOPES: readonly (readonly [string, ErrorScope])[] = [
  ['REST', { kind: 'all' }],
  ['Admin port', { kind: 'admin' }],
];
const COMMENT = /^<!--.*-->$/;
const HEADING = /^(#{2,3}) (.*)$/;

/**
 * Reads the sections of `docs/errors.md` that are about requests.
 * @param root - The folder of the package, with a slash at the end.
 * @param products - They declare which sections are about their requests.
 */
export function readErrorSections(root: URL, products: readonly DeclaringProduct[]): readonly ErrorSection[] {
  return parseErrorSections(readFileSync(new URL('docs/errors.md', root), 'utf8'), products);
}

/** What is known of a product here. */
type DeclaringProduct = Pick<ProductDescription, 'name' | 'errorSections'>;

/** Parses the page of errors. Sections that no product declares are about something else than requests, and left out. */
export function parseErrorSections(
  markdown: string,
  products: readonly DeclaringProduct[],
): readonly ErrorSection[] {
  const scopes = new Map([...GATEWAY_SCOPES, ...products.flatMap(listScopes)]);
  const parts = markdown.split(/^(?=## )/m).filter((part) => part.startsWith('## '));
  return parts.flatMap((part) => {
    const [head = '', ...lines] = part.split('\n');
    const heading = head.replace(/^## /, '');
    const scope = scopes.get(heading.replace(/:.*$/, ''));
    if (scope === undefined) return [];
    return [{ title: heading, anchor: toAnchor(heading), scope, blocks: parseBlocks(lines) }];
  });
}

function listScopes({
  name,
  errorSections = [],
}: DeclaringProduct): readonly (readonly [string, ErrorScope])[] {
  return errorSections.map(({ heading, pathPart = null }) => [heading, { kind: 'tag', tag: name, pathPart }]);
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
