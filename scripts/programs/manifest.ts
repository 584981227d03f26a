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

/** An entry of programs/programs.json: a program with its public address. */
export interface Program extends Buildable {
  readonly address: string;
}

/** Programs for tests only. They are built like the others, but into `TEST_DIST`, which is not published. */
export const TEST_PROGRAMS: readonly Buildable[] = [{ name: 'test-venue', crate: 'test-venue' }];

/** The content of programs/dist/<name>.json, which describes the binary of the same name. Hashes are SHA-256 in hex. */
export interface Manifest {
  /** The hash of the sources of the crate and its libraries, and of the scripts that compile and link. */
  readonly source: string;
  readonly binary: string;
  readonly size: number;
  /** The versions of the compiler and the assembler. */
  readonly toolchain: string;
}

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
export const PROGRAMS = join(ROOT, 'programs');
export const DIST = join(PROGRAMS, 'dist');
export const TEST_DIST = join(ROOT, 'src/testing/svm/programs');

export async function readPrograms(): Promise<readonly Program[]> {
  return JSON.parse(await readFile(join(PROGRAMS, 'programs.json'), 'utf8'));
}

export async function readManifest(name: string, dist: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(dist, `${name}.json`), 'utf8'));
}

/** The scripts of the build that affect the bytes of a program. */
const BUILD = ['compile.ts', 'elf.ts', 'image.ts', 'link.ts', 'shared-object.ts'];

/** Computes the hash of everything that affects the bytes of a program, except the toolchain. */
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
