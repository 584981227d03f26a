import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runForTest } from '../../testing/run-cli.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sluice-backup-command-'));
});
afterEach(() => rmSync(root, { recursive: true }));

it.each([
  ['a folder without a file', []],
  ['a folder without a database', ['key-secret']],
])('sluice backup of %s is read back, says what is not in it, and can be restored', async (_, names) => {
  mkdirSync(join(root, 'data'), { mode: 0o700 });
  for (const name of names) writeFileSync(join(root, 'data', name), 'x');
  const saved = await runForTest(['backup', 'all.tgz', '--data-dir=data'], root);
  expect(saved).toMatchObject({ code: 0, err: '' });
  expect(saved.out).toMatch(/all\.tgz \(\d+ bytes\) and read it back$/m);
  expect(saved.out).toMatch(
    /^It holds no database\. If the instance has a database-url, back up .* pg_dump\.$/m,
  );
  const restored = await runForTest(['restore', 'all.tgz', '--data-dir=two'], root);
  expect(restored).toMatchObject({ code: 0, err: '' });
  expect(restored.out).toMatch(/^The backup holds no database\. .*restore that one too\.$/m);
  expect(readdirSync(join(root, 'two'))).toEqual(names);
  expect(existsSync(join(root, 'all.tgz.partial'))).toBe(false);
});
