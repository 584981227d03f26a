import { execFile } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withLintRules, withPicture } from '../scripts/rooms/generate.ts';
import { FOLDERS_WITH_ONE_DIRECTION, ROOMS, refusedBy, roomsAbove, TESTING } from '../scripts/rooms/rooms.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

const fixtures = ROOMS.flatMap((room) =>
  ROOMS.filter((imported) => imported !== room).map((imported) => ({
    importer: room.name,
    imported: imported.name,
    refused: refusedBy(room).includes(imported.name),
    refusedInTests: roomsAbove(room).includes(imported.name),
    file: `src/${room.name}/deep/imports-${imported.name}.ts`,
    test: `src/${room.name}/deep/imports-${imported.name}.test.ts`,
  })),
);

describe('the table of rooms', () => {
  it('names every folder of src', () => {
    const entries = readdirSync(join(root, 'src'), { withFileTypes: true });
    expect(entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name)).toEqual([]);
    expect(entries.map(({ name }) => name).sort()).toEqual(
      [...ROOMS.map(({ name }) => name), TESTING].sort(),
    );
  });

  it('leaves out what only tests import', () => {
    const importers = ROOMS.flatMap(({ name }) => sourcesIn(join(root, 'src', name))).filter((file) =>
      importsOf(file).some((imported) => imported.startsWith(join(root, 'src', TESTING))),
    );
    expect(importers).toEqual([]);
  });

  it.each([
    ['biome.json', withLintRules],
    ['README.md', withPicture],
  ])('is what %s was generated from: `npm run rooms` brings it up to date', (file, generated) => {
    const text = readFileSync(join(root, file), 'utf8');
    expect(compact(file, text)).toEqual(compact(file, generated(text)));
  });
});

/** The formatter may break lines of JSON as it likes. */
function compact(file: string, text: string): unknown {
  return file.endsWith('.json') ? JSON.parse(text) : text;
}

describe('the rule that imports run downward', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-rooms-'));
  let refused: Set<string>;

  beforeAll(async () => {
    copyFileSync(join(root, 'biome.json'), join(folder, 'biome.json'));
    write('src/solana/http.ts', "import 'fastify';\n");
    write('src/gateway/http.ts', "import 'fastify';\n");
    for (const { file, test, imported } of fixtures) {
      for (const path of [file, test]) write(path, `import '../../${imported}/deep/thing.ts';\n`);
    }
    refused = await restrictedImports(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function write(file: string, text: string): void {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }

  it.each(fixtures)('$importer and $imported', ({ file, test, refused: isRefused, refusedInTests }) => {
    expect(refused.has(file)).toBe(isRefused);
    expect(refused.has(test)).toBe(refusedInTests);
  });

  it('keeps HTTP out of the lower rooms', () => {
    expect(refused).toContain('src/solana/http.ts');
    expect(refused).not.toContain('src/gateway/http.ts');
  });
});

describe('the folders within a room', () => {
  it.each(FOLDERS_WITH_ONE_DIRECTION)('src/%s: imports between its subfolders point one way', (folder) => {
    expect(cyclesBetweenSubfolders(join(root, 'src', folder))).toEqual([]);
  });
});

/** Pairs of subfolders that import each other, directly or over others, as `a -> b`. */
function cyclesBetweenSubfolders(folder: string): readonly string[] {
  const edges = new Map<string, Set<string>>();
  for (const file of sourcesIn(folder)) {
    const from = subfolderOf(folder, file);
    for (const imported of importsOf(file)) {
      const to = subfolderOf(folder, imported);
      if (from === null || to === null || from === to) continue;
      edges.set(from, (edges.get(from) ?? new Set()).add(to));
    }
  }
  const reachable = (start: string): ReadonlySet<string> => {
    const seen = new Set<string>();
    const queue = [...(edges.get(start) ?? [])];
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      queue.push(...(edges.get(next) ?? []));
    }
    return seen;
  };
  return [...edges].flatMap(([from, targets]) =>
    [...targets].filter((to) => reachable(to).has(from)).map((to) => `${from} -> ${to}`),
  );
}

/** The paths of the project's files that a file imports or exports from. */
function importsOf(file: string): readonly string[] {
  const found = readFileSync(file, 'utf8').matchAll(/^(?!\s*\*).*?from '(\.[^']+)'/gm);
  return [...found].map(([, specifier = '']) => join(dirname(file), specifier));
}

/** Null for a file that stands in the folder itself, or outside of it. */
function subfolderOf(folder: string, file: string): string | null {
  const [first, ...rest] = relative(folder, file).split('/');
  return first === undefined || first === '..' || rest.length === 0 ? null : first;
}

function sourcesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.test\.ts$/.test(file))
    .map((file) => join(folder, file));
}

/** The files in which the linter, with the project's own configuration, finds a restricted import. */
async function restrictedImports(folder: string): Promise<Set<string>> {
  const biome = join(root, 'node_modules', '@biomejs', 'biome', 'bin', 'biome');
  const args = [
    biome,
    'lint',
    '--vcs-enabled=false',
    '--max-diagnostics=none',
    '--only=style/noRestrictedImports',
    '--reporter=json',
    '.',
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: folder,
    maxBuffer: 1 << 26,
  }).catch((error: { stdout: string }) => error);
  const report: { diagnostics: { location: { path: string } }[] } = JSON.parse(stdout);
  return new Set(report.diagnostics.map(({ location }) => location.path));
}
