import { closeSync, mkdtempSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openAppendOnlyLog } from './append-only-log.ts';

it('openAppendOnlyLog keeps the file below a megabyte, and its newest lines', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-growing-'));
  const path = join(folder, 'child.log');
  let look = () => {};
  const { descriptor, stop } = openAppendOnlyLog(path, (_, work) => {
    look = work;
    return () => undefined;
  });
  const megabyte = 'x'.repeat(1024 * 1024);
  writeSync(descriptor, megabyte);
  look();
  expect(statSync(path).size).toBe(megabyte.length);
  writeSync(descriptor, 'more');
  look();
  writeSync(descriptor, 'newest');
  expect(readFileSync(path, 'utf8')).toBe('newest');
  rmSync(folder, { recursive: true });
  look();
  stop();
  closeSync(descriptor);
});
