import { describe, expect, it } from 'vitest';
import { readImportGraph } from './import-graph.ts';

describe('readImportGraph', () => {
  it.each([
    ["import { near } from './near.ts';", { 'src/a/near.ts': false }],
    ["import './near.ts';", { 'src/a/near.ts': false }],
    ["import * as far from '../b/far.ts';", { 'src/b/far.ts': false }],
    ["import {\n  far,\n  type Far,\n} from '../b/far.ts';", { 'src/b/far.ts': false }],
    ["import type { Far } from '../b/far.ts';", { 'src/b/far.ts': true }],
    ["import { type Far, type Farther } from '../b/far.ts';", { 'src/b/far.ts': true }],
    ["import far, { type Far } from '../b/far.ts';", { 'src/b/far.ts': false }],
    ["export { far } from '../b/far.ts';", { 'src/b/far.ts': false }],
    ["export * from './near.ts';", { 'src/a/near.ts': false }],
    ["const { far } = await import('../b/far.ts');", { 'src/b/far.ts': false }],
    ["type Far = typeof import('../b/far.ts');", { 'src/b/far.ts': true }],
    ["function take(far: import('../b/far.ts').Far) {}", { 'src/b/far.ts': true }],
  ])('reads %j', (text, imports) => {
    expect(readImports(text)).toEqual(imports);
  });

  it.each([
    "import { join } from 'node:path';",
    "import data from './data.json';",
    "/**\n * import { near } from './near.ts';\n */",
    "// import('./near.ts')",
  ])('leaves out %j', (text) => {
    expect(readImports(text)).toEqual({});
  });

  it('takes an import of values for stronger than an import of types of the same file', () => {
    const text = "import type { Near } from './near.ts';\nimport { near } from './near.ts';";
    expect(readImports(text)).toEqual({ 'src/a/near.ts': false });
  });
});

/** Returns the imports of `src/a/a.ts` with whether they are of types. */
function readImports(text: string): Record<string, boolean> {
  const graph = readImportGraph(
    new Map([
      ['src/a/a.ts', text],
      ['src/a/near.ts', ''],
      ['src/b/far.ts', ''],
    ]),
  );
  const imports = [...(graph.get('src/a/a.ts') ?? [])];
  return Object.fromEntries(imports.map(([path, { isType }]) => [path, isType]));
}
