import { describe, expect, it } from 'vitest';
import { createResult } from './results-for-tests.ts';
import { findMisplaced } from './run-suite.mjs';

describe('findMisplaced', () => {
  it('runs nothing when only listed files start something', async () => {
    const listed = createResult('test/e2e/order.test.ts', ['passed'], { starts: ['process'] });
    expect(await findMisplaced([listed, createResult(FAST)], () => Promise.reject(new Error('ran')))).toEqual(
      [],
    );
  });

  it('names a file that starts something alone too', async () => {
    const lines = await findMisplaced([STARTING], async () => ({ results: [STARTING], stray: [] }));
    expect(lines).toEqual([
      'src/market/a.test.ts starts a process and a server: add it in scripts/test/starting-files.mjs',
    ]);
  });

  it('says nothing of a file that starts nothing when it runs alone', async () => {
    const lines = await findMisplaced([STARTING], async () => ({ results: [createResult(FAST)], stray: [] }));
    expect(lines).toEqual([]);
  });
});

const FAST = 'src/market/a.test.ts';
const STARTING = createResult(FAST, ['passed'], { starts: ['process', 'server'] });
