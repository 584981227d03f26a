import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

describe('the wire forms of a product', () => {
  it.each(folders)('%s: are known to its endpoints only', (folder) => {
    const endpoints = join(folder, 'endpoints');
    const names = wireTypesOf(endpoints);
    const found = sources(folder)
      .filter((path) => !path.startsWith(`${endpoints}/`))
      .flatMap((path) =>
        mentions(readFileSync(path, 'utf8'), names, {
          // The index lists the endpoints, and nothing else of theirs.
          mayImportEndpoints: relative(folder, path) === 'index.ts',
        }).map((mention) => `${path}: ${mention}`),
      );
    expect(found).toEqual([]);
  });

  it('are found in most products', () => {
    const named = folders.filter((folder) => wireTypesOf(join(folder, 'endpoints')).length > 0);
    expect(named.length).toBeGreaterThan(folders.length / 2);
  });
});

describe('mentions', () => {
  it.each([
    ["import { toOrderResponse } from '../endpoints/order-response.ts';", false],
    ["import type { StoredOrder } from './stored-order.ts';\nlet answer: OrderResponse;", true],
    ["import { Type } from 'typebox';", false],
    ["const kept = JSON.parse(text) as import('../endpoints/order-schema.ts').Other;", false],
  ])('finds the wire form in %j', (source, mayImportEndpoints) => {
    expect(mentions(source, ['OrderResponse'], { mayImportEndpoints })).not.toEqual([]);
  });

  it.each([
    ["import { order } from './endpoints/order.ts';", true],
    ["import { orderSwap } from '../order/order.ts';\n// Mapped to OrderResponseLike elsewhere.", false],
  ])('finds none in %j', (source, mayImportEndpoints) => {
    expect(mentions(source, ['OrderResponse'], { mayImportEndpoints })).toEqual([]);
  });
});

const PRODUCTS = 'src/products';
/** The folders of products. What their endpoints share stands beside them, in a folder that has no index. */
const folders = readdirSync(PRODUCTS)
  .map((name) => join(PRODUCTS, name))
  .filter((folder) => existsSync(join(folder, 'index.ts')));

/** The types that the endpoints of a folder derive from their schemas, and export. */
function wireTypesOf(endpoints: string): readonly string[] {
  return sources(endpoints).flatMap((path) => findWireTypes(readFileSync(path, 'utf8')));
}

function findWireTypes(source: string): readonly string[] {
  return [...source.matchAll(/^export type (\w+) = (?:Type\.)?Static</gm)].map((match) => match[1] ?? '');
}

function mentions(
  source: string,
  names: readonly string[],
  { mayImportEndpoints }: { readonly mayImportEndpoints: boolean },
): readonly string[] {
  const imports = [...source.matchAll(/['"]([^'"\n]*\/endpoints\/[^'"\n]*|typebox)['"]/g)].map(
    (match) => match[1] ?? '',
  );
  const refused = imports.filter((path) => path === 'typebox' || !mayImportEndpoints);
  return [...refused, ...names.filter((name) => new RegExp(`\\b${name}\\b`).test(source))];
}

/** The files of production, in folders below too. */
function sources(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    return /\.ts$/.test(entry.name) && !/\.test\.ts$/.test(entry.name) ? [path] : [];
  });
}
