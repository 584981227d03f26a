import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { PRODUCTS } from '../src/app/products.ts';
import { LOG_TABLES, TABLES } from '../src/app/tables.ts';

describe('the gateway, the platform and the store', () => {
  it('name no product, and none of its paths and aliases', () => {
    const found = ROOMS.flatMap(sources).flatMap((path) =>
      mentions(readFileSync(path, 'utf8')).map((text) => `${path}: ${text}`),
    );
    expect(found).toEqual([]);
  });
});

/** The names of the tables that each owner creates. */
const tables = new Map<string, Set<string>>();
for (const { owner, statements } of [
  ...TABLES.map(({ owner, migrations }) => ({ owner, statements: Object.values(migrations).flat() })),
  ...LOG_TABLES.map(({ owner, migrations }) => ({
    owner,
    statements: Object.values(migrations).flatMap((migration) => migration('postgresql', [])),
  })),
]) {
  const created = statements.flatMap((sql) => /^create table (?:if not exists )?(\w+)/.exec(sql)?.[1] ?? []);
  tables.set(owner, new Set([...(tables.get(owner) ?? []), ...created]));
}

/** Returns the names of the tables of all owners but one. */
function tablesOfOthers(own: string | null): ReadonlySet<string> {
  return new Set([...tables].flatMap(([owner, created]) => (owner === own ? [] : [...created])));
}

describe('the tables', () => {
  it('of every owner are known by name', () => {
    const owners = [...tables].filter(([, created]) => created.size > 0).map(([owner]) => owner);
    expect(owners.sort()).toEqual([
      'custody',
      'exchange',
      'forecasts',
      'invites',
      'market-data',
      'platform',
      'predictions',
      'products/lend',
      'products/portfolio',
      'products/trigger',
      'program-orders',
      'rfq',
      'studio',
      'studio/media',
      'swaps',
      'tokens',
      'transactions',
      'transactions/sponsor',
      'waiting-orders',
    ]);
    expect(tablesOfOthers('platform')).toContain('webhook_fills');
    expect(tablesOfOthers('platform')).not.toContain('api_keys');
  });

  it.each([
    ['src/store', null],
    ['src/platform', 'platform'],
  ])('of others are not named in %s', (room, owner) => {
    const others = tablesOfOthers(owner);
    const found = sources(room).flatMap((path) =>
      tableMentions(readFileSync(path, 'utf8'), others).map((table) => `${path}: ${table}`),
    );
    expect(found).toEqual([]);
  });
});

describe('tableMentions', () => {
  it.each([
    'const rows = db.select().from(makers);',
    "const table = 'webhook_fills';",
    "const text = 'select state from webhook_fills where id = 1';",
    'const text = `delete from makers`;',
    "const text = 'insert into makers (id) values (1)';",
    "import { webhookFills } from './maker-tables.ts';",
  ])('finds a table in %j', (source) => {
    expect(tableMentions(source, others)).toHaveLength(1);
  });

  it.each([
    "const text = 'the webhooks of makers';",
    '// makers\nconst a = 1;',
    "const action = 'maker.added';",
  ])('finds none in %j', (source) => {
    expect(tableMentions(source, others)).toEqual([]);
  });

  const others = new Set(['makers', 'webhook_fills']);
});

describe('the files that register the products and their tables', () => {
  it('are the only ones outside the products that import from a product', () => {
    const importing = sources('src')
      .filter((path) => !path.startsWith('src/products/') && !path.startsWith('src/testing/'))
      .flatMap((path) =>
        [...readFileSync(path, 'utf8').matchAll(IMPORT_OF_PRODUCT)].map(([text]) => ({
          path,
          isOfTables: text.endsWith('-tables.ts'),
        })),
      );
    const pathsWith = (isOfTables: boolean) =>
      new Set(importing.filter((found) => found.isOfTables === isOfTables).map(({ path }) => path));
    expect(FOLDERS.length).toBe(PRODUCTS.length);
    expect([...pathsWith(false)]).toEqual(['src/app/products.ts']);
    expect([...pathsWith(true)]).toEqual(['src/app/tables.ts']);
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

const ROOMS = ['src/gateway', 'src/platform', 'src/store'];
/** A product's folder has an index; the folder of what products share has none. */
const FOLDERS = readdirSync('src/products').filter((name) => existsSync(`src/products/${name}/index.ts`));
/** From any file but those of the products, such a path leads into the folder of one. */
const IMPORT_OF_PRODUCT = new RegExp(`from '[./]+/products/(?:${FOLDERS.join('|')})/[^']*`, 'g');
/** String and template literals as esbuild prints them. */
const LITERAL = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`/gs;

/**
 * Names that are words of other subjects too, such as the price of a level, or how an answer is sent. Their paths are looked
 * for all the same.
 */
const ORDINARY_WORDS: readonly string[] = ['price', 'send'];

const names = PRODUCTS.map(({ name }) => name).filter((name) => !ORDINARY_WORDS.includes(name));
const paths = [
  ...PRODUCTS.flatMap(({ basePaths }) => basePaths),
  ...PRODUCTS.flatMap(({ endpoints }) => endpoints).flatMap(({ path, aliases }) => [path, ...aliases]),
];

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

/** Finds the tables that a source names in SQL, as a whole literal, or as an identifier in either spelling. */
function tableMentions(source: string, others: ReadonlySet<string>): readonly string[] {
  // Otherwise esbuild removes imports that are only used as types, or not at all.
  const tsconfigRaw = { compilerOptions: { verbatimModuleSyntax: true } };
  const { code } = transformSync(source, {
    loader: 'ts',
    minifySyntax: true,
    legalComments: 'none',
    tsconfigRaw,
  });
  const literals = [...code.matchAll(LITERAL)].map(([, one, two, three]) => one ?? two ?? three ?? '');
  const identifiers: readonly string[] = code.replaceAll(LITERAL, '""').match(/[\w$]+/g) ?? [];
  return [...others].filter((table) => {
    const camelCase = table.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    const inSql = new RegExp(`\\b(?:from|into|update|table|join|references|exists) ${table}\\b`);
    return (
      identifiers.includes(table) ||
      identifiers.includes(camelCase) ||
      literals.some((literal) => literal === table || inSql.test(literal))
    );
  });
}
