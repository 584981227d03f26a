import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { PROGRAM_CACHE } from '../../../scripts/programs/build-cache.ts';
import {
  compileCore,
  compileLibrary,
  compileProgram,
  type Libraries,
} from '../../../scripts/programs/compile.ts';
import { PROGRAMS } from '../../../scripts/programs/manifest.ts';
import {
  findToolchain,
  foldersToSearch,
  type Toolchain,
  ToolchainMissing,
} from '../../../scripts/programs/toolchain.ts';

/** Null where tests that compile programs have to be skipped. */
export const toolchain = await findToolchain(foldersToSearch(env.PATH)).catch((error: unknown) => {
  if (error instanceof ToolchainMissing) return null;
  throw error;
});

/** For the names of such tests, so that who sees them skipped knows why. */
export const NEEDS_TOOLCHAIN = 'needs the Debian packages rustc-web, rust-web-src and llvm-19';

/** Compiles programs that a test holds as text, against the base crate. */
export class ProgramCompiler {
  readonly #toolchain: Toolchain;
  readonly #libraries: Libraries;
  readonly #folder: string;

  private constructor(installed: Toolchain, libraries: Libraries, folder: string) {
    this.#toolchain = installed;
    this.#libraries = libraries;
    this.#folder = folder;
  }

  static async open(): Promise<ProgramCompiler> {
    if (toolchain === null) throw new ToolchainMissing(NEEDS_TOOLCHAIN);
    const folder = await mkdtemp(join(tmpdir(), 'sluice-compile-'));
    const core = await compileCore(toolchain, PROGRAM_CACHE);
    const base = { name: 'sluice_program', folder: 'base' };
    const libraries = await compileLibrary(toolchain, core, base, { programs: PROGRAMS, work: folder });
    return new ProgramCompiler(toolchain, libraries, folder);
  }

  /** Rejects with `CompileError` or `LinkError`, as a build does. */
  async compile(rust: string): Promise<Uint8Array> {
    const file = join(this.#folder, 'program.rs');
    await writeFile(file, rust);
    const source = { programs: this.#folder, file, name: 'program' };
    return compileProgram(this.#toolchain, this.#libraries, source, this.#folder);
  }

  close(): Promise<void> {
    return rm(this.#folder, { recursive: true, force: true });
  }
}
