import type { Baseline } from './baseline.ts';
import type { Measure } from './measures.ts';

/**
 * Renders the table of counts, the sentences that say what is counted, and the lists that were asked for.
 *
 * @param listed - The ids of the measures whose items are listed.
 */
export function renderMeasures(
  measures: readonly Measure[],
  baseline: Baseline,
  listed: readonly string[],
): string {
  const sections = [
    renderTable(measures, baseline),
    `The figures of ${baseline.commit} were measured on ${baseline.measuredOn} by this script, in a checkout of that commit.`,
    measures.map(({ id, sentence }) => `${id}: ${sentence}`).join('\n'),
    ...measures.filter(({ id }) => listed.includes(id)).map(renderItems),
  ];
  return `${sections.join('\n\n')}\n`;
}

/** A count of which there is only an earlier figure has a dash, as has one of which there is none. */
function renderTable(measures: readonly Measure[], { commit, counts: earlier }: Baseline): string {
  const counts = measures.flatMap((measure) => measure.counts);
  const now = new Map(counts.map(({ name, value }) => [name, value]));
  const names = new Set([...now.keys(), ...Object.keys(earlier)]);
  const rows = [...names].map((name) => [name, earlier[name] ?? '—', now.get(name) ?? '—']);
  return alignColumns([['count', `at ${commit}`, 'now'], ...rows]);
}

function alignColumns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | '));
  const rule = widths.map((width) => '-'.repeat(width)).join(' | ');
  return [lines[0] ?? '', rule, ...lines.slice(1)].map((line) => line.trimEnd()).join('\n');
}

function renderItems({ counts }: Measure): string {
  return counts
    .map(({ name, value, items }) => [`${name} (${value}):`, ...items.map((item) => `  ${item}`)].join('\n'))
    .join('\n\n');
}
