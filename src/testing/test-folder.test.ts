import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openFolder, openTestFolder } from './test-folder.ts';

describe('openFolder', () => {
  const folder = openFolder('kept');
  seen.kept = folder;

  it('creates a folder', () => {
    writeFileSync(join(folder, 'a'), 'a');
  });

  it('keeps it for the next test', () => {
    expect(existsSync(join(folder, 'a'))).toBe(true);
  });
});

describe('openTestFolder', () => {
  let folder: string;
  beforeEach(() => {
    folder = openTestFolder('own');
  });

  it('creates a folder, when that of the suite before is removed', () => {
    expect(existsSync(seen.kept ?? '')).toBe(false);
    writeFileSync(join(folder, 'a'), 'a');
    seen.own = folder;
  });

  it('removes it after the test, and creates another one', () => {
    expect(existsSync(seen.own ?? '')).toBe(false);
    expect(existsSync(folder)).toBe(true);
    expect(folder).not.toBe(seen.own);
  });
});

/** The folders of tests that have ended. */
const seen: { kept?: string; own?: string } = {};
