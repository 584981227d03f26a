import { replaceLinkTargets } from './inline.ts';
import { type DocsPage, type DocsTarget, resolveLink } from './pages.ts';

/** Where a page is served as Markdown, by the path at which it is served as HTML. */
export function toMarkdownPath(path: string): string {
  return `${path}.md`;
}

/**
 * Returns the Markdown of a page as the site serves it. Links to other pages lead to their Markdown, and links to what the
 * site does not have become plain text.
 * @param targets - What links of the page can lead to.
 */
export function toSiteMarkdown(
  page: DocsPage,
  pages: readonly DocsPage[],
  targets: readonly DocsTarget[],
): string {
  const paths = new Set(pages.map(({ path }) => path));
  const resolve = (target: string) => {
    const url = resolveLink(page, target, targets);
    const [path = '', hash] = url?.split('#') ?? [];
    if (url === null || !paths.has(path)) return url;
    return hash === undefined ? toMarkdownPath(path) : `${toMarkdownPath(path)}#${hash}`;
  };
  return splitAtFences(page.markdown)
    .map(({ text, isCode }) => (isCode ? text : replaceLinkTargets(text, resolve)))
    .join('\n');
}

/** Splits a page into text and fenced code, each of whole lines. */
function splitAtFences(markdown: string): readonly { readonly text: string; readonly isCode: boolean }[] {
  const parts: { lines: string[]; isCode: boolean }[] = [{ lines: [], isCode: false }];
  for (const line of markdown.split('\n')) {
    const last = parts.at(-1);
    const isFence = line.startsWith('```');
    if (last === undefined || (isFence && !last.isCode)) parts.push({ lines: [line], isCode: true });
    else {
      last.lines.push(line);
      if (isFence) parts.push({ lines: [], isCode: false });
    }
  }
  return parts
    .filter(({ lines }) => lines.length > 0)
    .map(({ lines, isCode }) => ({ text: lines.join('\n'), isCode }));
}
