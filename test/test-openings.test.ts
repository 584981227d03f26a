import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readSourceTree } from '../scripts/structure/source-tree.ts';
import { computeMedianOpening, findTestOpenings } from '../scripts/structure/test-openings.ts';

describe('the test files', () => {
  it('have at most 15 lines above their first test, in the median', () => {
    const tree = readSourceTree(fileURLToPath(new URL('..', import.meta.url)));
    expect(computeMedianOpening(findTestOpenings(tree))).toBeLessThanOrEqual(15);
  });
});
