import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PRODUCTS } from '../src/app/products.ts';

const ROOMS = ['src/gateway', 'src/platform'];
/** `'...'`, `"..."` and the beginning of a template, on one line. */
const LITERAL = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\\n]|\\.)*)/g;

function sources(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    // The generated messages of gRPC speak of a maker's swaps.
    if (entry.isDirectory()) return entry.name === 'generated' ? [] : sources(path);
    return /\.ts$/.test(entry.name) && !/(\.test|-for-tests)\.ts$/.test(entry.name) ? [path] : [];
  });
}

/** Comments may speak of a product; literals may not be its name, or begin with one of its paths. */
function literalsOf(path: string): readonly string[] {
  const code = readFileSync(path, 'utf8')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/^\s*\/\/.*$/gm, '');
  return [...code.matchAll(LITERAL)].map(([, one, two, three]) => one ?? two ?? three ?? '');
}

it('the gateway and the platform name no product, and none of its paths and aliases', () => {
  const names = new Set(PRODUCTS.map(({ name }) => name));
  const paths = [
    ...PRODUCTS.flatMap(({ basePaths }) => basePaths),
    ...PRODUCTS.flatMap(({ endpoints }) => endpoints).flatMap(({ path, aliases }) => [path, ...aliases]),
  ];
  const isForbidden = (text: string) =>
    names.has(text) || paths.some((path) => text === path || text.startsWith(`${path}/`));
  // It finds what it is to find.
  expect(['swap', '/swap/v2/execute', '/ultra/v1/order', '/tx'].every(isForbidden)).toBe(true);
  expect(['swaps', '/admin/v1/swap'].some(isForbidden)).toBe(false);
  const found = ROOMS.flatMap(sources).flatMap((path) =>
    literalsOf(path)
      .filter(isForbidden)
      .map((text) => `${path}: ${text}`),
  );
  expect(found).toEqual([]);
});
