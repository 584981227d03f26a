import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
import { findToolchain, type Toolchain, ToolchainMissing } from './toolchain.ts';

const REBUILD = 'run npm run programs:build and commit what it wrote';

const shipped = await readPrograms();
const programs = [
  ...shipped.map(({ name, crate }) => ({ name, crate, dist: DIST })),
  ...TEST_PROGRAMS.map(({ name, crate }) => ({ name, crate, dist: TEST_DIST })),
];
const toolchain = await installedToolchain();

async function installedToolchain(): Promise<Toolchain | null> {
  try {
    return await findToolchain(env.PATH ?? '');
  } catch (error) {
    if (error instanceof ToolchainMissing) return null;
    throw error;
  }
}

function built(name: string, folder: string): Promise<Buffer> {
  return readFile(join(folder, `${name}.so`));
}

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
  it('names each program, crate and address once, and crates that exist', () => {
    for (const field of ['name', 'crate', 'address'] as const) {
      const values = shipped.map((program) => program[field]);
      expect(new Set(values).size, field).toBe(values.length);
    }
    for (const { crate } of shipped)
      expect(existsSync(join(PROGRAMS, crate, 'src/lib.rs')), crate).toBe(true);
  });
});

const NEEDS = 'needs the Debian packages rustc-web, rust-web-src and llvm-19';

describe.skipIf(toolchain === null)(`a build from source (${NEEDS})`, () => {
  let folder = '';

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-rebuild-'));
    if (toolchain !== null) await build(toolchain, programs, folder, () => {});
  }, 300_000);
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
