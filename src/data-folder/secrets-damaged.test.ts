import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepKeySecret } from './key-secret.ts';
import { lockDataFolder } from './lock.ts';
import { keepOperatorCredential, readOperatorCredential } from './operator-credential.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-secrets-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a damaged secret in the data folder', () => {
  it('is refused when it was cut short or is not text, and is not replaced by a new one', () => {
    const path = join(folder, 'key-secret');
    keepKeySecret(folder, () => SECRET);
    const whole = readFileSync(path);
    for (const length of [0, 7, 15]) {
      truncateSync(path, length);
      expect(() => keepKeySecret(folder, () => SECRET)).toThrow(
        /key-secret holds \d+ characters.*restore the file from a backup/,
      );
      expect(readFileSync(path)).toHaveLength(length);
      writeFileSync(path, whole);
    }
    whole[3] = (whole[3] ?? 0) ^ 0x80;
    writeFileSync(path, whole);
    expect(() => keepKeySecret(folder, () => SECRET)).toThrow(/visible ASCII/);
  });

  it('of the operator is refused alike by the instance and by commands', () => {
    keepOperatorCredential(folder, () => SECRET);
    const path = join(folder, 'operator-credential');
    const bytes = readFileSync(path);
    bytes[3] = (bytes[3] ?? 0) ^ 1;
    writeFileSync(path, bytes);
    expect(keepOperatorCredential(folder, () => SECRET)).toBe(readOperatorCredential(folder));
    truncateSync(path, 9);
    expect(() => readOperatorCredential(folder)).toThrow(/remove the file to get a new one/);
  });
});

describe('a damaged lock', () => {
  it.each(['', 'no JSON', '{"pid":-1}'])('that holds %j is taken over', async (text) => {
    const path = join(folder, 'instance.lock');
    writeFileSync(path, text);
    const unlock = await lockDataFolder(folder);
    expect(JSON.parse(readFileSync(path, 'utf8')).pid).toBe(process.pid);
    unlock();
  });
});

const SECRET = '0123456789abcdef0123456789abcdef';
