import { describe, expect, it } from 'vitest';
import { waitWithin } from './timers.ts';

describe('waitWithin', () => {
  let pass = () => {};
  let cancelled = 0;
  const timers = {
    after: (_delay: number, callback: () => void) => {
      pass = callback;
      return () => {
        cancelled++;
      };
    },
  };

  it('returns undefined after the time limit, and lets the work end or fail later', async () => {
    let fail = (_error: Error) => {};
    const work = new Promise<string>((_resolve, reject) => {
      fail = reject;
    });
    const ended = waitWithin(work, 5, timers);
    pass();
    expect(await ended).toBeUndefined();
    fail(new Error('late'));
    await expect(work).rejects.toThrow('late');
  });

  it('settles like the work when it ends in time', async () => {
    cancelled = 0;
    expect(await waitWithin(Promise.resolve('done'), 5, timers)).toBe('done');
    await expect(waitWithin(Promise.reject(new Error('no')), 5, timers)).rejects.toThrow('no');
    expect(cancelled).toBe(2);
  });
});
