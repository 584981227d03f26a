import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { isFast, SMOKE, toLanes } from './lanes.mjs';
import { listTestFiles } from './test-files.mjs';

const FILES = listTestFiles(fileURLToPath(new URL('../..', import.meta.url)));

it('toLanes puts every file into one lane', () => {
  const inLanes = toLanes(FILES).flatMap(({ files }) => files);
  expect(inLanes.toSorted()).toEqual(FILES);
});

it('the files of the smoke run exist', () => {
  expect(FILES).toEqual(expect.arrayContaining(SMOKE));
});

it('isFast leaves out what starts instances', () => {
  expect(isFast('test/e2e/order.test.ts')).toBe(false);
  expect(isFast('src/market/router/exact-out.test.ts')).toBe(true);
});
