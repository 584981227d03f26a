import type { ErrorChapter } from '../../../openapi/use-error-sections.ts';
import type { Refusal } from './refusal.ts';

/** What the page of errors says of a refusal. */
export interface RefusalExplanation {
  /** Empty if the page says only what to do. */
  readonly meaning: string;
  readonly remedy: string;
  readonly anchor: string;
}

/** The columns of a table of errors, by what they are. */
interface ErrorColumns {
  readonly code: number;
  readonly text: number;
  readonly status: number;
  readonly meaning: number;
  readonly remedy: number;
}

/**
 * Finds the line of the page of errors for a refusal: by its code, else by its text, else by its status. The chapters come
 * with the nearest to the operation first.
 */
export function explainRefusal(
  chapters: readonly ErrorChapter[],
  { code, message }: Pick<Refusal, 'code' | 'message'>,
  status: number,
): RefusalExplanation | null {
  const rows = chapters.flatMap(({ anchor, blocks }) =>
    blocks.flatMap((block) => {
      if (block.kind !== 'table') return [];
      const columns = findColumns(block.headings);
      return block.rows.map((row) => ({ anchor, columns, cells: row.map(removeBackticks) }));
    }),
  );
  const getCell = ({ cells }: (typeof rows)[number], index: number) =>
    index < 0 ? '' : (cells[index] ?? '');
  const found =
    rows.find((row) => code !== null && getCell(row, row.columns.code) === code) ??
    rows.find((row) => message !== null && getCell(row, row.columns.text) === message) ??
    rows.find((row) => getCell(row, row.columns.status) === String(status));
  if (found === undefined) return null;
  const meaning = getCell(found, found.columns.meaning);
  const remedy = getCell(found, found.columns.remedy);
  return meaning === '' && remedy === '' ? null : { meaning, remedy, anchor: found.anchor };
}

function findColumns(headings: readonly string[]): ErrorColumns {
  const find = (pattern: RegExp) => headings.findIndex((heading) => pattern.test(removeBackticks(heading)));
  return {
    code: find(/code$/i),
    text: find(/^(error|message|text)$/),
    status: find(/^status$/),
    meaning: find(/^meaning$/),
    remedy: find(/^what to do$/),
  };
}

function removeBackticks(text: string): string {
  return text.replaceAll('`', '');
}
