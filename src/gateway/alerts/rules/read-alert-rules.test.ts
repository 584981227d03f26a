import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { OperatorError } from '../../../common/operator-error.ts';
import { readAlertRules } from './read-alert-rules.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluice-alerts-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('readAlertRules', () => {
  it('reads the rules of the package, or of the file that is named', () => {
    expect(readAlertRules(null).map(({ name }) => name)).toContain('SluiceDown');
    expect(readAlertRules(write('groups: [{ rules: [{ alert: Mine, expr: a > 1 }] }]'))).toMatchObject([
      { name: 'Mine' },
    ]);
  });

  it('says what is wrong with a file, and does not wait for a pipe', () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const reasons = [
      join(folder, 'missing'),
      pipe,
      folder,
      write('a: ['),
      write(`# ${'x'.repeat(1_000_000)}`),
    ].map(findReason);
    expect(reasons).toEqual([
      expect.stringContaining('ENOENT'),
      expect.stringContaining('it is no file'),
      expect.stringContaining('it is no file'),
      expect.stringContaining('it is not YAML'),
      expect.stringContaining('larger than'),
    ]);
  });
});

let files = 0;

function write(text: string): string {
  const path = join(folder, `${files++}.yml`);
  writeFileSync(path, text);
  return path;
}

function findReason(path: string): string {
  try {
    readAlertRules(path);
    return 'none';
  } catch (error) {
    expect(error).toBeInstanceOf(OperatorError);
    return (error as Error).message;
  }
}
