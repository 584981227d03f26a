import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

/**
 * Creates an empty folder for all tests of the file or suite that calls this, and removes it after the last one.
 *
 * @param name - A part of the name of the folder, which says whose it is if it is left behind.
 */
export function openFolder(name: string): string {
  const folder = createFolder(name);
  afterAll(() => removeFolder(folder));
  return folder;
}

/** Creates an empty folder for the test that runs, or that begins, and removes it at the end of the test. */
export function openTestFolder(name: string): string {
  const folder = createFolder(name);
  onTestFinished(() => removeFolder(folder));
  return folder;
}

function createFolder(name: string): string {
  return mkdtempSync(join(tmpdir(), `sluice-${name}-`));
}

function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
