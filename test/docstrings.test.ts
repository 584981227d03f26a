import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { getProductionSources, readSourceTree } from '../scripts/structure/source-tree.ts';

it('the comments of src have @returns beside @param only', () => {
  const found = [...sources].flatMap(([path, text]) =>
    [...text.matchAll(/\/\*\*[\s\S]*?\*\//g)]
      .filter(([comment]) => comment.includes('@returns') && !comment.includes('@param'))
      .map(([comment]) => `${path}: ${comment}`),
  );
  expect(sources.size).toBeGreaterThan(1_000);
  expect(found).toEqual([]);
});

const sources = getProductionSources(readSourceTree(fileURLToPath(new URL('..', import.meta.url))));
