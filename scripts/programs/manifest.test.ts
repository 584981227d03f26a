import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NEEDS_TOOLCHAIN, toolchain } from '../../src/testing/svm/program-compiler.ts';
import { build } from './build.ts';
import {
  binaryHash,
  DIST,
  PROGRAMS,
  readManifest,
  readPrograms,
  sourceHash,
  TEST_DIST,
  TEST_PROGRAMS,
} from './manifest.ts';
import { renderPrograms } from './programs-table.ts';

const shipped = await readPrograms();
const programs = [
  ...shipped.map(({ name, crate }) => ({ name, crate, dist: DIST })),
  ...TEST_PROGRAMS.map(({ name, crate }) => ({ name, crate, dist: TEST_DIST })),
];

describe.each(programs)('the committed $name', ({ dist, ...program }) => {
  it('was built from the sources that are here', async () => {
    const { source } = await readManifest(program.name, dist);
    expect(source, `the sources of ${program.name} have changed: ${REBUILD}`).toBe(await sourceHash(program));
  });

  it('is the binary that its manifest describes', async () => {
    const binary = await built(program.name, dist);
    const { binary: hash, size } = await readManifest(program.name, dist);
    expect({ hash: binaryHash(binary), size: binary.length }).toEqual({ hash, size });
  });
});

describe('programs/programs.json', () => {
  it('is generated from the list of protocols', async () => {
    expect(await readFile(join(PROGRAMS, 'programs.json'), 'utf8'), REBUILD).toBe(renderPrograms());
  });

  it('names each program, crate and address once, and crates that exist', () => {
    for (const field of ['name', 'crate', 'address'] as const) {
      const values = shipped.map((program) => program[field]);
      expect(new Set(values).size, field).toBe(values.length);
    }
    for (const { crate } of shipped)
      expect(existsSync(join(PROGRAMS, crate, 'src/lib.rs')), crate).toBe(true);
  });
});

describe('programs/README.md', () => {
  it('lists every program', async () => {
    const page = await readFile(join(PROGRAMS, 'README.md'), 'utf8');
    const rows = [...page.matchAll(/^\| `([\w-]+)\/` \| /gm)].map(([, folder]) => folder);
    const libraries = ['base', 'lending-base', 'meteora-base', 'whirlpool-base'];
    const listed = [...libraries, ...programs.map(({ crate }) => crate)];
    expect(rows.sort()).toEqual(listed.sort());
  });
});

describe.skipIf(toolchain === null)(`a build from source (${NEEDS_TOOLCHAIN})`, () => {
  let folder = '';

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-rebuild-'));
    if (toolchain !== null) await build(toolchain, programs, folder, () => {});
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(programs)('gives the committed bytes of $name', async ({ name, dist }) => {
    const manifest = await readManifest(name, dist);
    if (manifest.toolchain !== toolchain?.version) {
      throw new Error(
        `${name} was built with ${manifest.toolchain}, here is ${toolchain?.version}: ${REBUILD}`,
      );
    }
    expect(binaryHash(await built(name, folder)), REBUILD).toBe(manifest.binary);
  });
});

const REBUILD = 'run npm run programs:build and commit what it wrote';

function built(name: string, folder: string): Promise<Buffer> {
  return readFile(join(folder, `${name}.so`));
}
