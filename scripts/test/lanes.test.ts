import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { isFast, SMOKE, toLanes } from './lanes.mjs';
import { STARTING_FILES } from './starting-files.mjs';
import { listTestFiles } from './test-files.mjs';

it('toLanes puts every file into one lane', () => {
  const inLanes = toLanes(FILES).flatMap(({ files }) => files);
  expect(inLanes.toSorted()).toEqual(FILES);
});

it('the files of the smoke run exist', () => {
  expect(FILES).toEqual(expect.arrayContaining(SMOKE));
});

it('files that replace modules have a process of their own', () => {
  const replacing = FILES.filter((file) =>
    /^\s*vi\.(mock|doMock)\(/m.test(readFileSync(join(root, file), 'utf8')),
  );
  const shared = toLanes(replacing).flatMap(({ files, isolate }) => (isolate ? [] : files));
  expect(shared).toEqual([]);
});

it('the table of files that start something names only files that exist', () => {
  const missing = STARTING_FILES.filter((prefix) => !FILES.some((file) => file.startsWith(prefix)));
  expect(missing).toEqual([]);
});

it('isFast leaves out what starts instances', () => {
  expect(isFast('test/e2e/order.test.ts')).toBe(false);
  expect(isFast('src/market/router/exact-out.test.ts')).toBe(true);
});

const root = fileURLToPath(new URL('../..', import.meta.url));
const FILES = listTestFiles(root);
