import { fileURLToPath } from 'node:url';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readImportGraph } from '../../scripts/structure/import-graph.ts';
import { findGroupCycles } from '../../scripts/structure/mutual-imports.ts';
import { readSourceTree } from '../../scripts/structure/source-tree.ts';

describe('the folders of the portal', () => {
  it('import downward only', () => {
    const upward = edges.filter(
      ([from, to]) => layerOf(from) < layerOf(to) || (layerOf(from) === -1 && layerOf(to) === -1),
    );
    expect(upward.map(([from, to]) => `${from} imports ${to}`)).toEqual([]);
  });

  it('import each other in one direction', () => {
    expect(findGroupCycles(graph, posix.dirname)).toEqual([]);
  });

  it('have pages that do not import each other', () => {
    const between = edges.filter(
      ([from, to]) => pageOf(from) !== null && pageOf(to) !== null && pageOf(from) !== pageOf(to),
    );
    expect(between.map(([from, to]) => `${from} imports ${to}`)).toEqual([]);
  });

  it('import nothing of the server but its design tokens and its mark', () => {
    const foreign = sources.flatMap(([path, text]) =>
      [...text.matchAll(/['"]([./]+\/src\/[^'"]+)['"]/g)]
        .map(([, target = '']) => posix.join(posix.dirname(path), target))
        .filter((target) => !target.startsWith('src/gateway/docs/assets/')),
    );
    expect(foreign).toEqual([]);
  });

  it('put no text into the page as HTML', () => {
    const unsafe =
      /dangerouslySetInnerHTML|\.innerHTML|\.outerHTML|insertAdjacentHTML|document\.write\b|\beval\(/;
    expect(sources.filter(([, text]) => unsafe.test(text)).map(([path]) => path)).toEqual([]);
  });
});

/** From the lowest to the highest. What stands in no folder joins them all. */
const LAYERS = ['base', 'api', 'openapi', 'wallet', 'parts', 'pages', 'frame'];

const root = fileURLToPath(new URL('../..', import.meta.url));
const sources = [...readSourceTree(root)].filter(
  ([path]) => /^web\/src\/.*\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path),
);
const graph = readImportGraph(new Map(sources));
const edges = [...graph].flatMap(([from, targets]) => [...targets.keys()].map((to) => [from, to] as const));

/** The place of a file in the order; what joins the folders is above them all. */
function layerOf(path: string): number {
  const folder = path.split('/')[2] ?? '';
  return folder.includes('.') ? LAYERS.length : LAYERS.indexOf(folder);
}

function pageOf(path: string): string | null {
  return /^web\/src\/pages\/([^/]+)\//.exec(path)?.[1] ?? null;
}
