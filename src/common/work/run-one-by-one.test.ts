import { describe, expect, it } from 'vitest';
import { runOneByOne } from './run-one-by-one.ts';

describe('runOneByOne', () => {
  it('begins a run for each call after the one before has ended, and one for all that wait', async () => {
    const runs: (() => void)[] = [];
    let ended = 0;
    const run = runOneByOne(async () => {
      await new Promise<void>((resolve) => runs.push(resolve));
      ended++;
    });
    const first = run();
    const waiting = [run(), run(), run()];
    expect(runs).toHaveLength(1);
    runs[0]?.();
    await first;
    await expect.poll(() => runs.length).toBe(2);
    const next = run();
    runs[1]?.();
    await Promise.all(waiting);
    expect(ended).toBe(2);
    await expect.poll(() => runs.length).toBe(3);
    runs[2]?.();
    await next;
    expect([runs.length, ended]).toEqual([3, 3]);
  });

  it('goes on after a run that failed, which only its own callers are told', async () => {
    const results = ['the first fails', null];
    const run = runOneByOne(async () => {
      const failure = results.shift();
      if (failure != null) throw new Error(failure);
    });
    const [first, second] = await Promise.allSettled([run(), run()]);
    expect(first).toMatchObject({ status: 'rejected', reason: new Error('the first fails') });
    expect(second).toMatchObject({ status: 'fulfilled' });
  });
});
