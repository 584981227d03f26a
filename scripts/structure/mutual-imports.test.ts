import { describe, expect, it } from 'vitest';
import { readImportGraph } from './import-graph.ts';
import { findFolderPairs, findValueCycles } from './mutual-imports.ts';

describe('findFolderPairs', () => {
  it('finds folders that import each other, by imports of types too', () => {
    const graph = readImportGraph(
      new Map([
        ['src/a/one.ts', "import { two } from '../b/two.ts';"],
        ['src/b/two.ts', ''],
        ['src/b/three.ts', "import type { Four } from '../a/four.ts';"],
        ['src/a/four.ts', ''],
        ['src/c/five.ts', "import { one } from '../a/one.ts';"],
      ]),
    );
    expect(findFolderPairs(graph)).toEqual(['src/a <-> src/b']);
  });

  it('takes a folder and a folder inside it for two', () => {
    const graph = readImportGraph(
      new Map([
        ['src/a/one.ts', "import { two } from './inner/two.ts';"],
        ['src/a/inner/two.ts', "import { one } from '../one.ts';"],
      ]),
    );
    expect(findFolderPairs(graph)).toEqual(['src/a <-> src/a/inner']);
  });
});

describe('findValueCycles', () => {
  it('counts files that reach each other once', () => {
    const graph = readImportGraph(
      new Map([
        ['src/a.ts', "import { b } from './b.ts';"],
        ['src/b.ts', "import { c } from './c.ts';\nimport { a } from './a.ts';"],
        ['src/c.ts', "import { a } from './a.ts';"],
        ['src/d.ts', "import { a } from './a.ts';"],
      ]),
    );
    expect(findValueCycles(graph)).toEqual(['src/a.ts <-> src/b.ts <-> src/c.ts']);
  });

  it('does not count a cycle that an import of types closes', () => {
    const graph = readImportGraph(
      new Map([
        ['src/a.ts', "import { b } from './b.ts';"],
        ['src/b.ts', "import type { A } from './a.ts';"],
      ]),
    );
    expect(findValueCycles(graph)).toEqual([]);
  });
});
