import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { PRODUCTS } from '../src/app/products.ts';

const ROOMS = ['src/gateway', 'src/platform'];
/** From any file but those of the products, such a path leads into the folder of one. */
const IMPORT_OF_PRODUCT = /from '[./]+\/products\/[\w-]+\//;
/** String and template literals as esbuild prints them. */
const LITERAL = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`/gs;

/** Names that are words of other subjects too, such as the price of a level. Their paths are looked for all the same. */
const ORDINARY_WORDS: readonly string[] = ['price'];

const names = PRODUCTS.map(({ name }) => name).filter((name) => !ORDINARY_WORDS.includes(name));
const paths = [
  ...PRODUCTS.flatMap(({ basePaths }) => basePaths),
  ...PRODUCTS.flatMap(({ endpoints }) => endpoints).flatMap(({ path, aliases }) => [path, ...aliases]),
];

describe('the gateway and the platform', () => {
  it('name no product, and none of its paths and aliases', () => {
    const found = ROOMS.flatMap(sources).flatMap((path) =>
      mentions(readFileSync(path, 'utf8')).map((text) => `${path}: ${text}`),
    );
    expect(found).toEqual([]);
  });
});

describe('the file that registers the products', () => {
  it('is the only one outside the products that imports from a product', () => {
    const importing = sources('src').filter(
      (path) =>
        !path.startsWith('src/products/') &&
        !path.startsWith('src/testing/') &&
        IMPORT_OF_PRODUCT.test(readFileSync(path, 'utf8')),
    );
    expect(importing).toEqual(['src/app/products.ts']);
  });
});

describe('mentions', () => {
  it.each([
    "const product = 'swap';",
    "url.startsWith('/swap/v2/execute');",
    "serve(url === '/ultra/v1/order');",
    "serve(url === '/tx');",
    "const path = '/sw' + 'ap';",
    'const text = `GET /swap/v2/order`;',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the source of a template
    'const url = `${host}/swap/v2/order`;',
    '/^\\/swap\\//.test(url);',
    'const credits = { swap: 2 };',
    'const timeout = limits.swap;',
    "const every = '/docs/*'; const path = '/swap'; /* a comment */",
  ])('finds the product in %j', (source) => {
    expect(mentions(source)).not.toEqual([]);
  });

  it.each([
    "const name = 'swaps';",
    "const path = '/admin/v1/swap';",
    "const description = 'Whether its swap stream is live.';",
    "// '/swap' is a path of a product.\nconst a = 1;",
    "/* 'swap' */ const a = 1;",
  ])('finds none in %j', (source) => {
    expect(mentions(source)).toEqual([]);
  });
});

function sources(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    // The generated messages of gRPC speak of a maker's swaps.
    if (entry.isDirectory()) return entry.name === 'generated' ? [] : sources(path);
    return /\.(ts|js)$/.test(entry.name) && !/\.test\.ts$/.test(entry.name) ? [path] : [];
  });
}

/**
 * Finds a product's name where it is a whole literal or an identifier, and a product's path anywhere. Comments and prose
 * may speak of a product. Strings that are joined from constants are found too, because esbuild folds them.
 */
function mentions(source: string): readonly string[] {
  const { code } = transformSync(source, { loader: 'ts', minifySyntax: true, legalComments: 'none' });
  const literals = [...code.matchAll(LITERAL)].map(([, one, two, three]) => one ?? two ?? three ?? '');
  const identifiers = code.replaceAll(LITERAL, '""').match(/[\w$]+/g) ?? [];
  const text = code.replaceAll('\\/', '/');
  return [
    ...[...literals, ...identifiers].filter((one) => names.includes(one)),
    ...paths.filter((path) => new RegExp(`(?<![\\w-])${path.replaceAll('.', '\\.')}(?![\\w-])`).test(text)),
  ];
}
