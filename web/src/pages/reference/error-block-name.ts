import type { ErrorChapterBlock } from '../../openapi/use-error-sections.ts';

/**
 * Returns the name of a table or of a list of texts for screen readers: a table is told by its first column, and a list by what
 * stands above it.
 */
export function nameErrorBlock(title: string, blocks: readonly ErrorChapterBlock[], index: number): string {
  const block = blocks[index];
  const above = blocks[index - 1];
  if (block?.kind === 'table') return toPlainText(`${title}, by ${block.headings[0] ?? ''}`);
  if (above?.kind === 'heading') return toPlainText(above.text);
  if (above?.kind === 'text' && above.text.endsWith(':')) return toPlainText(above.text.slice(0, -1));
  return toPlainText(/\btexts\b/.test(title) ? title : `${title}, texts`);
}

function toPlainText(text: string): string {
  return text.replaceAll('`', '');
}
