import { escapeHtml } from '../escape-html.ts';

/** Returns the address on the site to which a link of a page leads, or null if its target is not on the site. */
export type ResolveLink = (target: string) => string | null;

/** Matches code, a link, bold and emphasised text, and the anchors that pages set themselves. */
const INLINE =
  /(?<code>`+)(?<source>[\s\S]+?)\k<code>|\[(?<label>(?:[^\]`]|`[^`]*`)*)\]\((?<target>[^)\s]*)\)|\*\*(?<bold>[\s\S]+?)\*\*|(?<![*\w])\*(?<emphasis>[^*\s][^*]*)\*(?![*\w])|<a id="(?<anchor>[\w-]+)"><\/a>/g;

/** Renders the inline Markdown that our pages use. Other text is escaped. */
export function renderInline(text: string, resolveLink: ResolveLink): string {
  let html = '';
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    html += escapeHtml(text.slice(end, match.index)) + renderSpan(match.groups ?? {}, resolveLink);
    end = match.index + match[0].length;
  }
  return html + escapeHtml(text.slice(end));
}

function renderSpan(groups: Readonly<Record<string, string | undefined>>, resolveLink: ResolveLink): string {
  const { source, label, target = '', bold, emphasis, anchor = '' } = groups;
  if (source !== undefined) return `<code>${escapeHtml(source.trim())}</code>`;
  if (bold !== undefined) return `<strong>${renderInline(bold, resolveLink)}</strong>`;
  if (emphasis !== undefined) return `<em>${renderInline(emphasis, resolveLink)}</em>`;
  if (label === undefined) return `<a id="${escapeHtml(anchor)}"></a>`;
  const href = resolveLink(target);
  const content = renderInline(label, resolveLink);
  return href === null ? content : `<a href="${escapeHtml(href)}">${content}</a>`;
}

/** Replaces the targets of the links in Markdown text that has no fences. A link that leads nowhere becomes its label. */
export function replaceLinkTargets(text: string, resolveLink: ResolveLink): string {
  return text.replaceAll(INLINE, (whole: string, ...parts) => {
    const { label, target = '', bold, emphasis } = parts.at(-1) as Record<string, string | undefined>;
    if (bold !== undefined) return `**${replaceLinkTargets(bold, resolveLink)}**`;
    if (emphasis !== undefined) return `*${replaceLinkTargets(emphasis, resolveLink)}*`;
    if (label === undefined) return whole;
    const resolved = resolveLink(target);
    const inner = replaceLinkTargets(label, resolveLink);
    return resolved === null ? inner : `[${inner}](${resolved})`;
  });
}

/** Returns the text without its markup, for the search. */
export function toPlainText(text: string): string {
  return text.replaceAll(INLINE, (...parts) => {
    const { source, label, bold, emphasis } = parts.at(-1) as Record<string, string | undefined>;
    return source ?? toPlainText(label ?? bold ?? emphasis ?? '');
  });
}
