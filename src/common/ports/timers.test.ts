import { describe, expect, it, vi } from 'vitest';
import { ManualTimers } from '../../testing/timers.ts';
import { repeatFromNow, repeatWithPauses, waitWithin } from './timers.ts';

describe('waitWithin', () => {
  let pass = () => {};
  let cancelled = 0;

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

  const timers = {
    after: (_delay: number, callback: () => void) => {
      pass = callback;
      return () => {
        cancelled++;
      };
    },
  };
});

const PAUSE_MS = 100;

describe('repeatWithPauses', () => {
  it('runs again a pause after each run, also after one that failed', async () => {
    const timers = new ManualTimers();
    const onError = vi.fn();
    const fails: ((error: Error) => void)[] = [];
    const work = () => new Promise<void>((_resolve, reject) => fails.push(reject));
    repeatWithPauses(PAUSE_MS, work, timers, onError);
    timers.advance(PAUSE_MS - 1);
    expect(fails).toHaveLength(0);
    timers.advance(1);
    timers.advance(10 * PAUSE_MS);
    expect(fails).toHaveLength(1);
    fails[0]?.(new Error('away'));
    await vi.waitFor(() => expect(timers.waiting).toBe(1));
    expect(onError).toHaveBeenCalledExactlyOnceWith(new Error('away'));
    timers.advance(PAUSE_MS);
    expect(fails).toHaveLength(2);
  });

  it('begins no run after it was stopped, before a run or within one', async () => {
    const timers = new ManualTimers();
    let end = () => {};
    const work = vi.fn(
      () =>
        new Promise<void>((resolve) => {
          end = resolve;
        }),
    );
    const stopBefore = repeatWithPauses(PAUSE_MS, work, timers, () => {});
    stopBefore();
    timers.advance(PAUSE_MS);
    expect(work).not.toHaveBeenCalled();
    const stopWithin = repeatWithPauses(PAUSE_MS, work, timers, () => {});
    timers.advance(PAUSE_MS);
    stopWithin();
    end();
    await new Promise((resolve) => setImmediate(resolve));
    expect([work.mock.calls.length, timers.waiting]).toEqual([1, 0]);
  });
});

describe('repeatFromNow', () => {
  it('runs at once, and again a pause after that run, however long it takes', async () => {
    const timers = new ManualTimers();
    const ends: (() => void)[] = [];
    const work = () => new Promise<void>((resolve) => ends.push(resolve));
    const { first } = repeatFromNow(PAUSE_MS, work, timers, vi.fn());
    timers.advance(10 * PAUSE_MS);
    expect(ends).toHaveLength(1);
    ends[0]?.();
    await first;
    timers.advance(PAUSE_MS);
    expect(ends).toHaveLength(2);
  });

  it('goes on after a first run that failed, unless it was stopped meanwhile', async () => {
    for (const isStopped of [false, true]) {
      const timers = new ManualTimers();
      const onError = vi.fn();
      const work = vi.fn(() => Promise.reject(new Error('away')));
      const { first, stop } = repeatFromNow(PAUSE_MS, work, timers, onError);
      if (isStopped) stop();
      await first;
      timers.advance(PAUSE_MS);
      expect(work).toHaveBeenCalledTimes(isStopped ? 1 : 2);
      expect(onError).toHaveBeenCalledWith(new Error('away'));
    }
  });
});
