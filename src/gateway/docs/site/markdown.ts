import { renderCodeHtml } from '../code-html.ts';
import { escapeHtml } from '../escape-html.ts';
import { toPlainText, type ResolveLink, renderInline } from './inline.ts';

/** The edge of a fence, or the line between the head and the body of a table. */
const NO_TEXT = /^(```|\|[ :-]+\|)/;
const FENCE = /^```(\w*)/;
const HEADING = /^(#{1,6}) (.*)$/;
const ITEM = /^( *)(-|\d+\.) +(.*)$/;

/** A rendered block, and the number of the line after it. */
interface RenderedBlock {
  readonly html: string;
  readonly next: number;
}

/**
 * Renders the Markdown that our pages use: headings, paragraphs, code in fences, tables, nested lists, links, and inline
 * code, bold and emphasised text. HTML is escaped, except anchors.
 * @param resolveLink - Called with the target of each link.
 *
 * @example
 * ```ts
 * import { renderMarkdown } from './markdown.ts';
 *
 * renderMarkdown('# Fees\n\nIn `bps`.', () => null); // '<h1 id="fees">Fees</h1>\n<p>In <code>bps</code>.</p>'
 * ```
 */
export function renderMarkdown(markdown: string, resolveLink: ResolveLink): string {
  const lines = markdown.split('\n');
  const blocks: string[] = [];
  for (let at = 0; at < lines.length; ) {
    if (lines[at]?.trim() === '') {
      at += 1;
      continue;
    }
    const { html, next } = renderBlock(lines, at, resolveLink);
    blocks.push(html);
    at = next;
  }
  return blocks.join('\n');
}

/** Returns the anchor of a heading, as code hosts form it. */
export function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}

function renderBlock(lines: readonly string[], at: number, resolveLink: ResolveLink): RenderedBlock {
  const line = lines[at] ?? '';
  if (FENCE.test(line)) return renderFence(lines, at);
  const [, marks = '', text = ''] = HEADING.exec(line) ?? [];
  if (marks !== '') {
    const level = marks.length;
    return { html: renderHeading(level, text, resolveLink), next: at + 1 };
  }
  if (line.startsWith('|')) return renderTable(lines, at, resolveLink);
  if (ITEM.test(line)) return renderList(lines, at, resolveLink);
  const next = findBlockEnd(lines, at + 1, isParagraph);
  return { html: `<p>${renderInline(lines.slice(at, next).join('\n'), resolveLink)}</p>`, next };
}

/** Headings below the title have a link to themselves, which `site.css` shows beside them. */
function renderHeading(level: number, text: string, resolveLink: ResolveLink): string {
  const anchor = toAnchor(text);
  const said = escapeHtml(`Link to: ${toPlainText(text)}`);
  const link = level === 1 ? '' : `<a class="anchor" href="#${anchor}" aria-label="${said}"></a>`;
  return `<h${level} id="${anchor}">${renderInline(text, resolveLink)}${link}</h${level}>`;
}

function isParagraph(line: string): boolean {
  return line.trim() !== '' && ![FENCE, HEADING, ITEM].some((start) => start.test(line)) && line[0] !== '|';
}

/** Returns the number of the first line from `at` on for which `belongs` is false. */
function findBlockEnd(lines: readonly string[], at: number, belongs: (line: string) => boolean): number {
  const end = lines.findIndex((line, index) => index >= at && !belongs(line));
  return end === -1 ? lines.length : end;
}

function renderFence(lines: readonly string[], at: number): RenderedBlock {
  const [, language = ''] = FENCE.exec(lines[at] ?? '') ?? [];
  const end = findBlockEnd(lines, at + 1, (line) => !line.startsWith('```'));
  const code = renderCodeHtml(lines.slice(at + 1, end).join('\n'), language);
  return { html: `<div class="code"><pre tabindex="0"><code>${code}</code></pre></div>`, next: end + 1 };
}

function renderTable(lines: readonly string[], at: number, resolveLink: ResolveLink): RenderedBlock {
  const next = findBlockEnd(lines, at, (line) => line.startsWith('|'));
  const [head = [], , ...rows] = lines.slice(at, next).map(parseTableCells);
  const row = (cells: readonly string[], tag: 'th' | 'td') =>
    `<tr>${cells.map((cell) => renderCell(cell, tag, resolveLink)).join('')}</tr>`;
  const body = rows.map((cells) => row(cells, 'td')).join('\n');
  const html = `<div class="table" tabindex="0"><table><thead>${row(head, 'th')}</thead><tbody>${body}</tbody></table></div>`;
  return { html, next };
}

/** A column without a name has no head, which a screen reader would read out as an empty one. */
function renderCell(cell: string, tag: 'th' | 'td', resolveLink: ResolveLink): string {
  return cell === '' ? '<td></td>' : `<${tag}>${renderInline(cell, resolveLink)}</${tag}>`;
}

/** Returns the cells of a line of a table. A bar after a backslash is part of the cell's text. */
export function parseTableCells(line: string): string[] {
  const cells = line.trim().split(/(?<!\\)\|/);
  return cells.slice(1, -1).map((cell) => cell.trim().replaceAll('\\|', '|'));
}

/** An item continues in lines that are indented further than its mark. A list in these lines is nested. */
function renderList(lines: readonly string[], at: number, resolveLink: ResolveLink): RenderedBlock {
  const [, indent = '', mark = ''] = ITEM.exec(lines[at] ?? '') ?? [];
  const items: string[] = [];
  let next = at;
  for (;;) {
    const [, own, ownMark = '', text = ''] = ITEM.exec(lines[next] ?? '') ?? [];
    if (own !== indent || (ownMark === '-') !== (mark === '-')) break;
    const end = findBlockEnd(lines, next + 1, (line) => isParagraph(line) || isDeeper(line, indent));
    const [first = '', nested = []] = splitItem([text, ...lines.slice(next + 1, end)]);
    const inner = nested.length === 0 ? '' : renderMarkdown(nested.join('\n'), resolveLink);
    items.push(`<li>${renderInline(first, resolveLink)}${inner}</li>`);
    next = end;
    if (lines[next]?.trim() === '' && ITEM.test(lines[next + 1] ?? '')) next += 1;
  }
  const tag = mark === '-' ? 'ul' : 'ol';
  return { html: `<${tag}>\n${items.join('\n')}\n</${tag}>`, next };
}

function isDeeper(line: string, indent: string): boolean {
  const [, own] = ITEM.exec(line) ?? [];
  return own !== undefined && own.length > indent.length;
}

/** Splits an item into its own text and the lines of its nested list. */
function splitItem(lines: readonly string[]): [string, string[]] {
  const at = lines.findIndex((line, index) => index > 0 && ITEM.test(line));
  const own = at === -1 ? lines : lines.slice(0, at);
  return [own.map((line) => line.trim()).join('\n'), at === -1 ? [] : lines.slice(at)];
}

/** A unit of the search: the text below one heading, without markup. */
export interface Section {
  readonly heading: string;
  /** 1 for the title of the page, 2 for its parts, and so on. */
  readonly level: number;
  readonly anchor: string;
  readonly text: string;
}

/** Returns the sections of a page, in its order. */
export function parseSections(markdown: string): Section[] {
  const sections: { heading: string; level: number; anchor: string; lines: string[] }[] = [];
  let isCode = false;
  for (const line of markdown.split('\n')) {
    if (FENCE.test(line)) isCode = !isCode;
    const [, marks = '', heading] = (isCode ? null : HEADING.exec(line)) ?? [];
    if (heading !== undefined)
      sections.push({
        heading: toPlainText(heading),
        level: marks.length,
        anchor: toAnchor(heading),
        lines: [],
      });
    else if (!NO_TEXT.test(line)) sections.at(-1)?.lines.push(isCode ? line : toPlainText(line));
  }
  return sections.map(({ heading, level, anchor, lines }) => ({
    heading,
    level,
    anchor,
    text: lines
      .join(' ')
      .replaceAll(/[\s|]+/g, ' ')
      .trim(),
  }));
}
