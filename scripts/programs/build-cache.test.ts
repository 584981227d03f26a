import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { getCachedBinaryPath, keepBinary, readCachedBinary } from './build-cache.ts';

describe('the cache of built programs', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-build-cache-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('returns what was kept, and null before', async () => {
    const path = join(folder, 'binaries', 'a.so');
    expect(await readCachedBinary(path)).toBeNull();
    await keepBinary(path, Uint8Array.of(1, 2, 3));
    expect([...((await readCachedBinary(path)) ?? [])]).toEqual([1, 2, 3]);
  });

  it('has a path of its own for each program and toolchain', async () => {
    const program = { name: 'saber', crate: 'saber' };
    const paths = await Promise.all([
      getCachedBinaryPath(TOOLCHAIN, program),
      getCachedBinaryPath(TOOLCHAIN, { name: 'oracle', crate: 'oracle' }),
      getCachedBinaryPath({ ...TOOLCHAIN, version: '2' }, program),
    ]);
    expect(new Set(paths).size).toBe(3);
    expect(await getCachedBinaryPath(TOOLCHAIN, program)).toBe(paths[0]);
  });
});

const TOOLCHAIN = { rustc: '/usr/bin/rustc', core: '/core.rs', assembler: '/usr/bin/llvm-mc', version: '1' };
