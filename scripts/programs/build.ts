import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv, env } from 'node:process';
import { fileURLToPath } from 'node:url';
import { getCachedBinaryPath, keepBinary, PROGRAM_CACHE, readCachedBinary } from './build-cache.ts';
import { compileCore, compileLibrary, compileProgram, type Libraries } from './compile.ts';
import { type Library, librariesOf } from './libraries.ts';
import {
  type Buildable,
  binaryHash,
  DIST,
  type Manifest,
  PROGRAMS,
  sourceHash,
  TEST_DIST,
  TEST_PROGRAMS,
} from './manifest.ts';
import { listPrograms, renderPrograms } from './programs-table.ts';
import { findToolchain, foldersToSearch, type Toolchain } from './toolchain.ts';

/**
 * Builds programs into `dist`, each with its manifest. A program is compiled only if no earlier build has kept the binary of
 * the same sources.
 */
export async function build(
  toolchain: Toolchain,
  programs: readonly Buildable[],
  dist: string,
  report: (line: string) => void,
): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'sluice-programs-'));
  try {
    const link = linker(toolchain, work);
    await mkdir(dist, { recursive: true });
    for (const program of programs) {
      const source = await sourceHash(program);
      const binary = await buildProgram(toolchain, program, link, work);
      const manifest: Manifest = {
        source,
        binary: binaryHash(binary),
        size: binary.length,
        toolchain: toolchain.version,
      };
      await writeFile(join(dist, `${program.name}.so`), binary);
      await writeFile(join(dist, `${program.name}.json`), `${JSON.stringify(manifest, null, 2)}\n`);
      report(`${program.name}: ${binary.length} bytes`);
    }
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

type Link = (libraries: readonly Library[]) => Promise<Libraries>;

async function buildProgram(
  toolchain: Toolchain,
  program: Buildable,
  link: Link,
  work: string,
): Promise<Uint8Array> {
  const path = await getCachedBinaryPath(toolchain, program);
  const cached = await readCachedBinary(path);
  if (cached !== null) return cached;
  const libraries = await link(await librariesOf(PROGRAMS, program.crate));
  const file = join(PROGRAMS, program.crate, 'src/lib.rs');
  const source = { programs: PROGRAMS, file, name: program.name };
  const binary = await compileProgram(toolchain, libraries, source, work);
  await keepBinary(path, binary);
  return binary;
}

/**
 * Returns a function that compiles libraries in order of their dependencies. Libraries that programs share are compiled
 * once.
 */
function linker(toolchain: Toolchain, work: string): Link {
  const compiled = new Map<string, Promise<Libraries>>();
  let core: Promise<Libraries> | undefined;
  return function link(libraries: readonly Library[]): Promise<Libraries> {
    const last = libraries.at(-1);
    if (last === undefined) {
      core ??= compileCore(toolchain, PROGRAM_CACHE);
      return core;
    }
    const key = libraries.map(({ name }) => name).join(' ');
    const known =
      compiled.get(key) ??
      link(libraries.slice(0, -1)).then((before) =>
        compileLibrary(toolchain, before, last, { programs: PROGRAMS, work }),
      );
    compiled.set(key, known);
    return known;
  };
}

/** Returns the programs with those names, or by default all programs whose crate exists. */
function select(programs: readonly Buildable[], names: readonly string[]): readonly Buildable[] {
  const unknown = names.filter((name) => !programs.some((program) => program.name === name));
  if (unknown.length > 0) {
    const known = programs.map((program) => program.name).join(', ');
    throw new RangeError(`no program named ${unknown.join(', ')}; programs/programs.json lists ${known}`);
  }
  return programs.filter((program) => (names.length > 0 ? names.includes(program.name) : hasCrate(program)));
}

function hasCrate(program: Buildable): boolean {
  return existsSync(join(PROGRAMS, program.crate, 'Cargo.toml'));
}

async function main(names: readonly string[]): Promise<void> {
  await writeFile(join(PROGRAMS, 'programs.json'), renderPrograms());
  const programs = select([...listPrograms(), ...TEST_PROGRAMS], names);
  const toolchain = await findToolchain(foldersToSearch(env.PATH));
  const report = (line: string) => process.stdout.write(`${line}\n`);
  const tests = programs.filter((program) => TEST_PROGRAMS.includes(program));
  const shipped = programs.filter((program) => !TEST_PROGRAMS.includes(program));
  if (shipped.length > 0) await build(toolchain, shipped, DIST, report);
  if (tests.length > 0) await build(toolchain, tests, TEST_DIST, report);
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  main(argv.slice(2)).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });
}
