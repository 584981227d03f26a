import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findToolchain, foldersToSearch, ToolchainMissing } from './toolchain.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-toolchain-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the toolchain', () => {
  it('is missing without the assembler, and the message names the packages', async () => {
    const found = findToolchain([folder]);
    await expect(found).rejects.toThrow(ToolchainMissing);
    await expect(found).rejects.toThrow('llvm-mc-19 was not found');
    await expect(found).rejects.toThrow('apt-get install rustc-web rust-web-src llvm-19');
  });

  it('is missing without a compiler', async () => {
    await install('llvm-mc-19', 'LLVM version 19.1.7');
    await expect(findToolchain([folder])).rejects.toThrow('No rustc with the source of its core library');
  });

  it('skips a compiler without the source of its core library', async () => {
    await install('llvm-mc-19', 'LLVM version 19.1.7');
    await install('rustc', 'rustc 0.0.1', 'release: 0.0.1', 'LLVM version: 1.0');
    await expect(findToolchain([folder])).rejects.toThrow('No rustc with the source of its core library');
  });

  it('is searched for in the folders of the packages before those of PATH', () => {
    expect(foldersToSearch(`/a${delimiter}/b`)).toEqual(['/usr/bin', '/a', '/b']);
    expect(foldersToSearch(undefined)).toEqual(['/usr/bin']);
  });
});

/** Installs a program that prints these lines for any arguments. */
async function install(name: string, ...lines: readonly string[]): Promise<void> {
  const file = join(folder, name);
  await writeFile(file, `#!/bin/sh\ncat <<'END'\n${lines.join('\n')}\nEND\n`);
  await chmod(file, 0o755);
}
