import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** From the ground up: a room may import from those before it. Products stand on one floor. */
const ROOMS = [
  'collections',
  'ports',
  'solana',
  'chain',
  'market',
  'rfq',
  'genesis',
  'swap',
  'store',
  'platform',
  'gateway',
  'config',
  'data-folder',
  'app',
  'cli',
];

/** Pairs of importer and imported that the floors alone do not decide. */
const REFUSED_BESIDES = [
  ...['chain', 'market', 'rfq', 'genesis', 'swap', 'store', 'platform', 'gateway', 'config'].map(
    (room) => `data-folder -> ${room}`,
  ),
  ...['chain', 'market', 'rfq', 'genesis', 'swap'].flatMap((room) => [
    `store -> ${room}`,
    `platform -> ${room}`,
  ]),
  'swap -> genesis',
  'gateway -> genesis',
  'config -> chain',
  'config -> market',
  'config -> rfq',
  'config -> swap',
  'config -> store',
  'config -> platform',
  'config -> gateway',
];

function mayImport(importer: string, imported: string): boolean {
  return (
    !REFUSED_BESIDES.includes(`${importer} -> ${imported}`) &&
    ROOMS.indexOf(imported) <= ROOMS.indexOf(importer)
  );
}

interface Fixture {
  readonly importer: string;
  readonly imported: string;
  readonly file: string;
}

const fixtures: Fixture[] = ROOMS.flatMap((importer) =>
  ROOMS.filter((imported) => imported !== importer).map((imported) => ({
    importer,
    imported,
    file: `src/${importer}/deep/imports-${imported}.ts`,
  })),
);

describe('the rule that imports run downward', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-rooms-'));
  let refused: Set<string>;

  beforeAll(async () => {
    copyFileSync(join(root, 'biome.json'), join(folder, 'biome.json'));
    write('src/solana/http.ts', "import 'fastify';\n");
    write('src/shown.ts', "import './solana/address.ts';\n");
    write('src/app.ts', "import './gateway/server.ts';\n");
    for (const { file, imported } of fixtures) write(file, `import '../../${imported}/deep/thing.ts';\n`);
    refused = await restrictedImports(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function write(file: string, text: string): void {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }

  it.each(fixtures)('$importer and $imported', ({ importer, imported, file }) => {
    expect(refused.has(file)).toBe(!mayImport(importer, imported));
  });

  it('keeps HTTP out of the lower rooms, and every room out of what all use', () => {
    expect(refused).toContain('src/solana/http.ts');
    expect(refused).toContain('src/shown.ts');
    expect(refused).not.toContain('src/app.ts');
  });

  it('knows every room that there is', () => {
    const folders = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    );
    expect(folders.map((entry) => entry.name).sort()).toEqual([...ROOMS].sort());
  });
});

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
