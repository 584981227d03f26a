import type { ErrorChapterBlock } from '../../openapi/use-error-sections.ts';

/** The place of a value in the text of a refusal. */
const HOLE = '…';

/**
 * Keeps the rows and texts that have a text in them, or of which the text is an instance: `amount must be 1, got 0` finds
 * `… must be …, got …`. An empty text keeps everything.
 */
export function filterErrorBlocks(
  blocks: readonly ErrorChapterBlock[],
  sought: string,
): readonly ErrorChapterBlock[] {
  const text = sought.trim().toLowerCase();
  if (text === '') return blocks;
  return blocks.flatMap((block): readonly ErrorChapterBlock[] => {
    if (block.kind === 'table') {
      const rows = block.rows.filter((row) =>
        row.some((cell) => matchesError(cell.replaceAll('`', ''), text)),
      );
      return rows.length === 0 ? [] : [{ ...block, rows }];
    }
    if (block.kind !== 'texts') return [];
    const lines = block.lines.filter((line) => matchesError(line, text));
    return lines.length === 0 ? [] : [{ ...block, lines }];
  });
}

function matchesError(template: string, text: string): boolean {
  const lower = template.toLowerCase();
  if (lower.includes(text)) return true;
  const parts = lower.split(HOLE);
  // A template of holes alone would match everything.
  if (parts.length === 1 || lower.replaceAll(HOLE, '').trim().length < 8) return false;
  let at = 0;
  for (const [index, part] of parts.entries()) {
    const found = index === 0 ? (text.startsWith(part) ? 0 : -1) : text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return parts.at(-1) === '' || text.endsWith(parts.at(-1) ?? '');
}
