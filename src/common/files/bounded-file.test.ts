import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openTestFolder } from '../../testing/test-folder.ts';
import { readBoundedFile } from './bounded-file.ts';

describe('readBoundedFile', () => {
  it('reads a file of at most as many bytes, also through a link', async () => {
    const folder = openTestFolder('bounded');
    writeFileSync(join(folder, 'file'), 'abcde');
    symlinkSync(join(folder, 'file'), join(folder, 'link'));
    expect((await readBoundedFile(join(folder, 'link'), 5)).toString()).toBe('abcde');
    await expect(readBoundedFile(join(folder, 'file'), 4)).rejects.toThrow(
      /has 5 bytes, but may have at most 4/,
    );
    writeFileSync(join(folder, 'file'), '');
    expect((await readBoundedFile(join(folder, 'file'), 5)).length).toBe(0);
  });

  it.skipIf(process.platform === 'win32')('waits for no pipe, and reads no folder or device', async () => {
    const folder = openTestFolder('bounded');
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    mkdirSync(join(folder, 'folder'));
    for (const path of [join(folder, 'pipe'), join(folder, 'folder'), '/dev/zero'])
      await expect(readBoundedFile(path, 100), path).rejects.toThrow(/no regular file/);
    symlinkSync(join(folder, 'loop'), join(folder, 'loop'));
    await expect(readBoundedFile(join(folder, 'loop'), 100)).rejects.toThrow(/ELOOP/);
  });
});
