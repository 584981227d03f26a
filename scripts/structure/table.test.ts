import { describe, expect, it } from 'vitest';
import { BASELINE } from './baseline.ts';
import { describeExecution, measureSource } from './measures.ts';
import { renderMeasures } from './table.ts';

describe('renderMeasures', () => {
  it('prints an aligned table with a dash where there is no figure', () => {
    const [table] = renderMeasures(measures, baseline, []).split('\n\n');
    expect(table).toBe(
      [
        'count        | at 77c7168b       | now',
        '------------ | ----------------- | ---',
        'pairs        | 57                | 1',
        'new things   | —                 | 2',
        'product gone | 3 files, 10 lines | —',
      ].join('\n'),
    );
  });

  it('says what is counted and lists only what was asked for', () => {
    const text = renderMeasures(measures, baseline, ['pairs']);
    expect(text).toContain('pairs: Pairs of folders.\nnew: New things.');
    expect(text).toContain('pairs (1):\n  src/a <-> src/b\n');
    expect(text).not.toContain('new things (2)');
  });

  const baseline = {
    commit: '77c7168b',
    measuredOn: '2026-11-27',
    counts: { pairs: '57', 'product gone': '3 files, 10 lines' },
  };
  const measures = [
    {
      id: 'pairs',
      sentence: 'Pairs of folders.',
      counts: [{ name: 'pairs', value: '1', items: ['src/a <-> src/b'] }],
    },
    { id: 'new', sentence: 'New things.', counts: [{ name: 'new things', value: '2', items: ['x', 'y'] }] },
  ];
});

describe('measureSource', () => {
  it('counts under the names that the earlier figures have', () => {
    const tree = new Map([
      ['src/products/swap/index.ts', 'export function priceOf() {}\n'],
      ['src/protocols/saber/index.ts', "export const saber: Venue<Pool> = {\n  label: 'Saber',\n};\n"],
      ['src/protocols/venues.ts', "import { saber } from './saber/index.ts';\n"],
    ]);
    const counts = [...measureSource(tree), describeExecution(null)].flatMap((measure) => measure.counts);
    expect(Object.keys(BASELINE.counts)).toEqual(expect.arrayContaining(counts.map(({ name }) => name)));
    expect(counts.map(({ value }) => value)).toEqual([
      ...['0', '0', '1', '1 files, 1 lines', '0', '0', '1', '0', '0', '0'],
      ...['not measured', 'not measured'],
    ]);
  });
});
