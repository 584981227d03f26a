import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { readObject } from './elf.ts';
import type { Library } from './libraries.ts';
import { link } from './link.ts';
import type { Toolchain } from './toolchain.ts';

const run = promisify(execFile);

/** The compiler or the assembler refused the source; the message is theirs. */
export class CompileError extends Error {
  override readonly name = 'CompileError';
}

/** Libraries that a program is linked with, compiled. */
export interface Libraries {
  readonly core: string;
  readonly compilerBuiltins: string;
  /** Crates of the workspace by the name that Rust code uses, each after those that it depends on. */
  readonly shared: ReadonlyMap<string, string>;
}

const EDITION = '2021';
const TARGET = [
  ...['--target', 'bpfel-unknown-none', '-Z', 'unstable-options'],
  ...['-C', 'panic=immediate-abort', '-C', 'opt-level=2', '-C', 'embed-bitcode=yes', '-C', 'codegen-units=1'],
  // SBPF v0 has no 32-bit jumps and 32-bit arithmetic rules of its own; BPF's first version has neither.
  ...['-C', 'target-cpu=v1', '-C', 'target-feature=+allows-misaligned-mem-access'],
  // The runtime's stack frame; the compiler refuses a function that needs more.
  '-Cllvm-args=-bpf-stack-size=4096',
];
const CHECKED = ['-C', 'overflow-checks=on', '-D', 'warnings'];

/** The compiler wants a crate of this name; without 128-bit and float routines it is empty. */
const COMPILER_BUILTINS = '#![no_std]\n#![feature(compiler_builtins)]\n#![compiler_builtins]\n';

/** Compiles `core`, which takes some 15 seconds, once per toolchain: `cache` keeps it. */
export async function compileCore(toolchain: Toolchain, cache: string): Promise<Libraries> {
  const key = createHash('sha256').update(`${toolchain.version}\n${toolchain.core}\n${TARGET.join(' ')}`);
  const folder = join(cache, key.digest('hex').slice(0, 16));
  const files = {
    core: join(folder, 'libcore.rlib'),
    compilerBuiltins: join(folder, 'libcompiler_builtins.rlib'),
    shared: new Map<string, string>(),
  };
  if (existsSync(folder)) return files;

  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(join(cache, 'building-'));
  try {
    const core = join(work, 'libcore.rlib');
    const library = [
      '--crate-type',
      'rlib',
      '--cap-lints',
      'allow',
      ...TARGET,
      ...remap(dirname(toolchain.core)),
    ];
    await compile(toolchain, [
      '--edition',
      '2024',
      '--crate-name',
      'core',
      ...library,
      toolchain.core,
      '-o',
      core,
    ]);
    const source = join(work, 'compiler_builtins.rs');
    await writeFile(source, COMPILER_BUILTINS);
    const builtins = ['--edition', EDITION, '--crate-name', 'compiler_builtins', ...library];
    const output = join(work, 'libcompiler_builtins.rlib');
    await compile(toolchain, [...builtins, '--extern', `core=${core}`, source, '-o', output]);
    await moveUnlessThere(work, folder);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return files;
}

/** Compiles a crate that programs share, into `work`; gives the libraries with it added. */
export async function compileLibrary(
  toolchain: Toolchain,
  libraries: Libraries,
  { name, folder }: Library,
  { programs, work }: { readonly programs: string; readonly work: string },
): Promise<Libraries> {
  const output = join(work, `lib${name}.rlib`);
  await compile(toolchain, [
    ...['--edition', EDITION, '--crate-type', 'rlib', '--crate-name', name],
    ...[...TARGET, ...CHECKED, ...remap(programs), ...externs(libraries)],
    ...[join(programs, folder, 'src/lib.rs'), '-o', output],
  ]);
  const { core, compilerBuiltins, shared } = libraries;
  return { core, compilerBuiltins, shared: new Map([...shared, [name, output]]) };
}

/** Compiles, assembles and links one program; gives the bytes of its shared object. */
export async function compileProgram(
  toolchain: Toolchain,
  libraries: Libraries,
  source: { readonly programs: string; readonly file: string; readonly name: string },
  work: string,
): Promise<Uint8Array> {
  const assembly = join(work, `${source.name}.s`);
  const object = join(work, `${source.name}.o`);
  await compile(toolchain, [
    ...['--edition', EDITION, '--crate-type', 'staticlib', '--crate-name', source.name.replaceAll('-', '_')],
    ...[...TARGET, ...CHECKED, ...remap(source.programs), ...externs(libraries)],
    // Only when it also emits the archive does the compiler link the libraries into the assembly.
    ...['-C', 'lto=fat', `--emit=asm=${assembly},link=${join(work, `${source.name}.a`)}`, source.file],
  ]);
  await call(toolchain.assembler, ['-triple=bpfel', '-mcpu=v1', '-filetype=obj', assembly, '-o', object]);
  return link(readObject(await readFile(object)));
}

function externs({ core, compilerBuiltins, shared }: Libraries): string[] {
  return [
    '--extern',
    `core=${core}`,
    '--extern',
    `compiler_builtins=${compilerBuiltins}`,
    '-L',
    dirname(core),
    // A library that names another one is looked up in its folder.
    ...[...shared].flatMap(([name, file]) => ['--extern', `${name}=${file}`, '-L', dirname(file)]),
  ];
}

/** Keeps the place where the sources stand out of the output. */
function remap(folder: string): string[] {
  return ['--remap-path-prefix', `${folder}=.`];
}

async function compile(toolchain: Toolchain, args: readonly string[]): Promise<void> {
  // The BPF target and the panic strategy are unstable features of a stable compiler.
  await call(toolchain.rustc, args, { ...process.env, RUSTC_BOOTSTRAP: '1' });
}

async function call(file: string, args: readonly string[], env = process.env): Promise<void> {
  try {
    await run(file, args, { env, maxBuffer: 1 << 26 });
  } catch (error) {
    const text = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
    throw new CompileError(text.trim());
  }
}

/** Two builds may compile the same library at once; the first one's stays. */
async function moveUnlessThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (!existsSync(to)) throw error;
  }
}
