import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, it } from 'vitest';
import { bundleWhenStale, EXTERNAL, fingerprint, removeOthers } from './bundle.mjs';
import { openTestFolder } from '../src/testing/test-folder.ts';

let root: string;
beforeEach(setUp);

it('is the same for the same files', () => {
  expect(fingerprint(root)).toBe(fingerprint(root));
});

it.each<[string, () => void]>([
  ['an edit', () => write('src/a.ts', 'other')],
  ['an edit of the same length', () => write('src/a.ts', 'test', 1_700_000_001)],
  ['a new file', () => write('src/b/d.ts', 'text')],
  ['a removed file', () => rmSync(join(root, 'src/b/c.ts'))],
  ['another lock file', () => write('package-lock.json', 'other')],
])('changes with %s', (_what, change) => {
  const before = fingerprint(root);
  change();
  expect(fingerprint(root)).not.toBe(before);
});

it('does not change with a test, which is not bundled', () => {
  const before = fingerprint(root);
  write('src/a.test.ts', 'text');
  expect(fingerprint(root)).toBe(before);
});

it('removes what is no longer bundled, but not what another process is about to put in place', () => {
  const dist = join(root, 'dist');
  // Process numbers are never that high.
  const abandoned = 'main.js.4194305';
  const awaited = `main.js.${process.pid}`;
  for (const name of ['main.js', 'chunk-OLD.js', abandoned, awaited]) write(join('dist', name), 'text');
  removeOthers(dist, new Set([join(dist, 'main.js')]));
  expect(readdirSync(dist).sort()).toEqual(['main.js', awaited]);
});

it('loads the gateway, the network and the databases for no command but `start`', async () => {
  const checkout = fileURLToPath(new URL('..', import.meta.url));
  await bundleWhenStale(checkout);
  const { sources, packages } = loadedAtOnce(join(checkout, 'dist'), 'main.js');
  expect(sources).toContain('src/cli/commands/start/start.ts');
  expect(
    sources.filter((source) =>
      /^src\/(app|products|protocols|sandbox|lend|swaps|tokens|transactions|market-data|store\/(postgres|schema|sqlite))\//.test(
        source,
      ),
    ),
  ).toEqual([]);
  expect(packages.filter((name) => EXTERNAL.some((external) => name.startsWith(external)))).toEqual([]);
});

it('loads no product for `backup`, but the tables that products have', async () => {
  const checkout = fileURLToPath(new URL('..', import.meta.url));
  await bundleWhenStale(checkout);
  const dist = join(checkout, 'dist');
  const chunk = readdirSync(dist).find((name) =>
    readFileSync(join(dist, name), 'utf8').includes('\n// src/cli/commands/backup-files.ts\n'),
  );
  const { sources } = loadedAtOnce(dist, chunk ?? '');
  expect(sources).toContain('src/app/tables.ts');
  const ofProducts = /^src\/(gateway\/(?!http\/)|products|protocols|sandbox|swaps|lend)\//;
  expect(sources.filter((source) => ofProducts.test(source) && !source.endsWith('-tables.ts'))).toEqual([]);
});

function setUp(): void {
  root = openTestFolder('bundle');
  for (const name of ['package.json', 'package-lock.json', 'scripts/bundle.mjs', 'src/a.ts', 'src/b/c.ts'])
    write(name, 'text');
}

function write(name: string, text: string, time = 1_700_000_000): void {
  const file = join(root, name);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
  utimesSync(file, time, time);
}

/** Returns the sources and packages that a file of the bundle loads by imports that are not lazy. */
function loadedAtOnce(dist: string, file: string) {
  const [sources, packages, files] = [new Set<string>(), new Set<string>(), new Set([file])];
  for (const name of files) {
    const text = readFileSync(join(dist, name), 'utf8');
    for (const [, source = ''] of text.matchAll(/^\/\/ (src\/\S+)$/gm)) sources.add(source);
    for (const [, imported = ''] of text.matchAll(/^(?:import|\} from)\b[^"\n]*"([^"]+)";$/gm)) {
      if (imported.startsWith('./')) files.add(imported.slice(2));
      else packages.add(imported);
    }
  }
  return { sources: [...sources], packages: [...packages] };
}
