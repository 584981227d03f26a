import { useMemo } from 'react';
import { useErrorSections, type ErrorChapter } from '../../../openapi/use-error-sections.ts';

/** What the list of errors says about a code of an execution. */
export interface CodeMeaning {
  readonly meaning: string;
  readonly advice: string;
}

/** The section of `docs/errors.md` that has the codes of executions. */
const SECTION = /^Execute: `?code`?$/;
const NO_MEANINGS: ReadonlyMap<number, CodeMeaning> = new Map();

/** Returns what each code of an execution means, as the page of errors says it; none while that is not read. */
export function useCodeMeanings(): ReadonlyMap<number, CodeMeaning> {
  const { data } = useErrorSections();
  return useMemo(() => (data === undefined ? NO_MEANINGS : readCodeMeanings(data)), [data]);
}

/** Reads the table of codes from the page of errors. */
export function readCodeMeanings(chapters: readonly ErrorChapter[]): ReadonlyMap<number, CodeMeaning> {
  const blocks = chapters.find(({ title }) => SECTION.test(title))?.blocks ?? [];
  const rows = blocks.flatMap((block) => (block.kind === 'table' ? block.rows : []));
  return new Map(
    rows.flatMap(([code = '', , meaning = '', advice = '']) =>
      /^-?\d+$/.test(code) ? [[Number(code), { meaning, advice }] as const] : [],
    ),
  );
}
