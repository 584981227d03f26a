import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { librariesOf } from './libraries.ts';

/** A program and the folder of its crate. */
export interface Buildable {
  readonly name: string;
  readonly crate: string;
}

/** One line of programs/programs.json: a program with its public address. */
export interface Program extends Buildable {
  readonly address: string;
}

/** Only tests load these: they are built like the others, but into `TEST_DIST`, which is not published. */
export const TEST_PROGRAMS: readonly Buildable[] = [{ name: 'test-venue', crate: 'test-venue' }];

/** What programs/dist/<name>.json says about the program beside it. Hashes are SHA-256 in hexadecimal. */
export interface Manifest {
  /** Over the sources of the crate and of the crates that it is linked with, and the compiling and linking scripts. */
  readonly source: string;
  readonly binary: string;
  readonly size: number;
  /** Versions of the compiler and the assembler that made the binary. */
  readonly toolchain: string;
}

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
export const PROGRAMS = join(ROOT, 'programs');
export const DIST = join(PROGRAMS, 'dist');
export const TEST_DIST = join(ROOT, 'test/svm/programs');

export async function readPrograms(): Promise<readonly Program[]> {
  return JSON.parse(await readFile(join(PROGRAMS, 'programs.json'), 'utf8'));
}

export async function readManifest(name: string, dist: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(dist, `${name}.json`), 'utf8'));
}

/** The parts of the build that decide a program's bytes. */
const BUILD = ['compile.ts', 'elf.ts', 'image.ts', 'link.ts', 'shared-object.ts'];

/** Over everything that decides a program's bytes, save the toolchain. */
export async function sourceHash(program: Buildable): Promise<string> {
  const libraries = await librariesOf(PROGRAMS, program.crate);
  const folders = [...libraries.map(({ folder }) => folder), program.crate];
  const sources = await Promise.all(folders.map((folder) => filesBelow(join(PROGRAMS, folder, 'src'))));
  const files = [...sources.flat(), ...BUILD.map((file) => join(ROOT, 'scripts/programs', file))];
  const hash = createHash('sha256');
  for (const file of files) {
    const path = relative(ROOT, file).split(sep).join('/');
    const content = await readFile(file);
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

export function binaryHash(binary: Uint8Array): string {
  return createHash('sha256').update(binary).digest('hex');
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return files.sort();
}
