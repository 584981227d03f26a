import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The compiler, the source of its `core` library, and the assembler. */
export interface Toolchain {
  readonly rustc: string;
  readonly core: string;
  readonly assembler: string;
  /** The versions of the compiler and the assembler. With the same versions, the same sources yield the same bytes. */
  readonly version: string;
}

/** Thrown when the toolchain is not installed. The message lists the packages to install. */
export class ToolchainMissing extends Error {
  override readonly name = 'ToolchainMissing';
}

const PACKAGES =
  'Building the programs needs the Debian packages rustc-web, rust-web-src and llvm-19 ' +
  '(apt-get install rustc-web rust-web-src llvm-19). Using them does not: programs/dist holds the built files.';

const ASSEMBLER = 'llvm-mc-19';

/** Returns the folders of Debian's packages, and then those of PATH, which may contain another rustc. */
export function foldersToSearch(path: string | undefined): readonly string[] {
  return ['/usr/bin', ...(path ?? '').split(delimiter).filter((folder) => folder !== '')];
}

/**
 * Finds the assembler, and the first compiler that has the source of its `core` library.
 *
 * @throws ToolchainMissing when one of them is not installed.
 */
export async function findToolchain(folders: readonly string[]): Promise<Toolchain> {
  const assembler = folders.map((folder) => join(folder, ASSEMBLER)).find((file) => existsSync(file));
  if (assembler === undefined) throw new ToolchainMissing(`${ASSEMBLER} was not found. ${PACKAGES}`);
  for (const rustc of new Set(folders.map((folder) => join(folder, 'rustc')))) {
    if (!existsSync(rustc)) continue;
    const release = await rustRelease(rustc);
    const core = release === null ? null : await findCore(rustc, release.number);
    if (release === null || core === null) continue;
    return { rustc, core, assembler, version: `${release.text}; ${await assemblerVersion(assembler)}` };
  }
  throw new ToolchainMissing(`No rustc with the source of its core library was found. ${PACKAGES}`);
}

async function rustRelease(rustc: string): Promise<{ number: string; text: string } | null> {
  const verbose = (await run(rustc, ['-vV'])).stdout;
  const number = /^release: (.*)$/m.exec(verbose)?.[1];
  const llvm = /^LLVM version: (.*)$/m.exec(verbose)?.[1];
  return number === undefined || llvm === undefined
    ? null
    : { number, text: `rustc ${number} (LLVM ${llvm})` };
}

async function findCore(rustc: string, release: string): Promise<string | null> {
  const sysroot = (await run(rustc, ['--print', 'sysroot'])).stdout.trim();
  const candidates = [`/usr/src/rustc-${release}`, join(sysroot, 'lib/rustlib/src/rust')];
  const files = candidates.map((folder) => join(folder, 'library/core/src/lib.rs'));
  return files.find((file) => existsSync(file)) ?? null;
}

async function assemblerVersion(assembler: string): Promise<string> {
  const { stdout } = await run(assembler, ['--version']);
  return `${ASSEMBLER} ${/LLVM version ([\d.]+)/.exec(stdout)?.[1] ?? 'of unknown version'}`;
}
