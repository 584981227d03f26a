import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';
import { parseAst } from 'vite';
import { describe, expect, it } from 'vitest';

describe('counts and seeds of random suites', () => {
  it.each([
    ["import fc from 'fast-check'; fc.assert(property, { seed: 1 });", ['calls assert']],
    ["import * as check from 'fast-check'; check['sample'](numbers);", ['calls sample']],
    ["import { assert as holds } from 'fast-check'; holds(property);", ['calls assert']],
    ['assertProperty(property, { numRuns: 5, seed: 1 });', ['writes numRuns']],
    ["import fc from 'fast-check'; assertProperty(fc.property(fc.nat(), holds), SUITE);", []],
    ["import assert from 'node:assert'; assert.sample(1);", []],
  ])('finds in %j %j', (text, expected) => {
    expect(violationsIn(text)).toEqual(expected);
  });

  it('come from src/testing/random.ts', () => {
    const sources = FOLDERS.flatMap((folder) => [...sourcesBelow(folder)]).filter((path) => path !== HOME);
    const violations = sources.flatMap((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      const found = /fast-check|numRuns/.test(text) ? violationsIn(text) : [];
      return found.map((each) => `${path} ${each}`);
    });
    expect(violations).toEqual([]);
  });
});

const root = fileURLToPath(new URL('..', import.meta.url));
const FOLDERS = ['src', 'test', 'programs', 'scripts', 'conformance', 'bench', 'web'];
const SKIPPED = new Set(['node_modules', 'target']);
/** What runs cases in fast-check, or sets how. */
const RUNNERS = new Set([
  'assert',
  'asyncModelRun',
  'check',
  'configureGlobal',
  'modelRun',
  'sample',
  'scheduledModelRun',
  'statistics',
]);
/** Where counts and seeds are made. */
const HOME = 'src/testing/random.ts';

interface Node {
  readonly type: string;
  readonly name?: string;
  readonly value?: unknown;
  readonly [field: string]: unknown;
}

/** Returns what a source does with fast-check that `src/testing/random.ts` does for all. */
function violationsIn(text: string): string[] {
  const { code } = transformSync(text, { loader: 'ts', target: 'esnext' });
  const nodes = [...nodesOf(parseAst(code) as unknown as Node)];
  const imports = nodes.filter(
    ({ type, source }) => type === 'ImportDeclaration' && (source as Node).value === 'fast-check',
  );
  const specifiers = imports.flatMap((each) => each.specifiers as Node[]);
  const library = specifiers
    .filter(({ type }) => type !== 'ImportSpecifier')
    .map(({ local }) => (local as Node).name);
  const imported = specifiers
    .filter(({ type }) => type === 'ImportSpecifier')
    .map((specifier) => `${(specifier.imported as Node).name}`);
  const called = nodes
    .filter(({ type, object }) => type === 'MemberExpression' && library.includes((object as Node).name))
    .map(({ property }) => `${(property as Node).name ?? (property as Node).value}`);
  const counts = nodes.filter(({ type, key }) => type === 'Property' && isNamed(key as Node, 'numRuns'));
  return [
    ...[...imported, ...called].filter((name) => RUNNERS.has(name)).map((name) => `calls ${name}`),
    ...counts.map(() => 'writes numRuns'),
  ];
}

function isNamed({ name, value }: Node, wanted: string): boolean {
  return name === wanted || value === wanted;
}

function* nodesOf(node: Node): Generator<Node> {
  yield node;
  for (const field of Object.values(node)) {
    for (const child of Array.isArray(field) ? field : [field]) {
      if (typeof (child as Node | null)?.type === 'string') yield* nodesOf(child as Node);
    }
  }
}

function* sourcesBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory() && !SKIPPED.has(entry.name)) yield* sourcesBelow(path);
    if (entry.isFile() && path.endsWith('.ts')) yield path;
  }
}
