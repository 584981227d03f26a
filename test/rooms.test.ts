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
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withLintRules, withPicture } from '../scripts/rooms/generate.ts';
import { ROOMS, refusedBy, roomsAbove, TESTING } from '../scripts/rooms/rooms.ts';
import { readImportGraph } from '../scripts/structure/import-graph.ts';
import { findGroupCycles, findValueCycles } from '../scripts/structure/mutual-imports.ts';
import { PROTOCOLS } from '../src/protocols/index.ts';

describe('the table of rooms', () => {
  it('names every folder of src', () => {
    const entries = readdirSync(join(root, 'src'), { withFileTypes: true });
    expect(entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name)).toEqual([]);
    expect(entries.map(({ name }) => name).sort()).toEqual(
      [...ROOMS.map(({ name }) => name), TESTING].sort(),
    );
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

  it.each(fixtures)('$importer and $imported', ({ file, test, refused: isRefused, refusedInTests }) => {
    expect(refused.has(file)).toBe(isRefused);
    expect(refused.has(test)).toBe(refusedInTests);
  });

  it('keeps HTTP out of the lower rooms', () => {
    expect(refused).toContain('src/solana/http.ts');
    expect(refused).not.toContain('src/gateway/http.ts');
  });

  const folder = mkdtempSync(join(tmpdir(), 'sluice-rooms-'));

  function write(file: string, text: string): void {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
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
});

describe('the folders of src', () => {
  const graph = readImportGraph(readSources());
  const folders = [...new Set([...graph.keys()].flatMap(foldersAbove))].sort();

  it('import each other in one direction: no folder imports from one that needs it', () => {
    expect(findGroupCycles(graph, posix.dirname)).toEqual([]);
  });

  it.each(folders)('%s: imports between its subfolders point one way', (folder) => {
    expect(findGroupCycles(graph, (path) => subfolderOf(folder, path))).toEqual([]);
  });

  it('have no files that import values from each other in a circle', () => {
    expect(findValueCycles(graph)).toEqual([]);
  });

  it('leave out what only tests import, apart from that folder itself', () => {
    const testing = `src/${TESTING}/`;
    const importers = [...graph]
      .filter(([path]) => !path.startsWith(testing))
      .filter(([, targets]) => [...targets.keys()].some((target) => target.startsWith(testing)));
    expect(importers.map(([path]) => path)).toEqual([]);
  });

  function foldersAbove(path: string): readonly string[] {
    const names = path.split('/').slice(0, -1);
    return names.map((_, index) => names.slice(0, index + 1).join('/'));
  }
});

describe('the list of protocols', () => {
  const names = PROTOCOLS.map(({ name }) => name);

  it.each(names)('%s imports only protocols that stand before it', (name) => {
    const before = names.slice(0, names.indexOf(name) + 1);
    const others = importsOfProtocols(`src/protocols/${name}`).filter(
      (target) => !before.includes(subfolderOf('src/protocols', target) ?? 'the list itself'),
    );
    expect(others).toEqual([]);
  });

  it('has the programs that settle with makers, and rfq imports no other protocols', () => {
    const settling = ['lighthouse', 'order-engine', 'rfq-fill'];
    const imported = importsOfProtocols('src/rfq').map((path) => subfolderOf('src/protocols', path));
    expect(imported.filter((name) => name === null || !settling.includes(name))).toEqual([]);
  });

  it('is all that the genesis of the embedded network imports of them', () => {
    expect([...new Set(importsOfProtocols('src/sandbox/genesis'))]).toEqual(['src/protocols/index.ts']);
  });

  const graph = readImportGraph(readSources());
  const importsOfProtocols = (folder: string) =>
    [...graph]
      .filter(([path]) => path.startsWith(`${folder}/`))
      .flatMap(([, targets]) => [...targets.keys()])
      .filter((target) => target.startsWith('src/protocols/'));
});

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

/** The texts of the files of `src/`, without tests. */
function readSources(): ReadonlyMap<string, string> {
  const paths = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => `src/${file}`);
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

/** Null for a file that stands in the folder itself, or outside of it. */
function subfolderOf(folder: string, path: string): string | null {
  if (!path.startsWith(`${folder}/`)) return null;
  const [first, ...rest] = path.slice(folder.length + 1).split('/');
  return first === undefined || rest.length === 0 ? null : first;
}
