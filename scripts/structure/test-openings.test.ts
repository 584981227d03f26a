import { describe, expect, it } from 'vitest';
import { computeMedianOpening, findTestOpenings } from './test-openings.ts';

describe('findTestOpenings', () => {
  it('counts the lines above the first test, whatever calls it', () => {
    const tree = new Map([
      ['src/a.test.ts', "import { it } from 'vitest';\n\nit('works', () => {});\n"],
      ['src/b.test.ts', "describe('b', () => {\n  it.each<[number]>([[1]])('works', () => {});\n});\n"],
      ['src/c.test.ts', "test.open();\nconst it = test;\ntest.runIf(true)('works', () => {});\n"],
    ]);
    expect(findTestOpenings(tree)).toEqual([
      { path: 'src/a.test.ts', lines: 2 },
      { path: 'src/c.test.ts', lines: 2 },
      { path: 'src/b.test.ts', lines: 1 },
    ]);
  });

  it('leaves out other files, and files that only call a suite', () => {
    const tree = new Map([
      ['src/a.ts', "it('works', () => {});\n"],
      ['src/b.test.ts', 'runSuite();\n'],
    ]);
    expect(findTestOpenings(tree)).toEqual([]);
  });
});

describe('computeMedianOpening', () => {
  it('is what at least half of the files do not exceed', () => {
    const openings = [9, 7, 4, 1].map((lines) => ({ path: 'src/a.test.ts', lines }));
    expect(computeMedianOpening(openings)).toBe(4);
    expect(computeMedianOpening(openings.slice(1))).toBe(4);
    expect(computeMedianOpening([])).toBe(0);
  });
});
