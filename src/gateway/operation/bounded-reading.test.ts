import { describe, expect, it } from 'vitest';
import { ManualTimers } from '../../testing/timers.ts';
import { BoundedReading } from './bounded-reading.ts';

describe('BoundedReading', () => {
  it('reads once for callers that ask at the same time, and again when what was read is old', async () => {
    const timers = new ManualTimers();
    let reads = 0;
    const reading = new BoundedReading(async () => ++reads, { timers, ...BOUNDS });
    const together = await Promise.all([reading.get(), reading.get(), reading.get()]);
    expect(together).toEqual(Array(3).fill({ value: 1, readAt: timers.now() }));
    timers.advance(BOUNDS.freshMs - 1);
    expect((await reading.get())?.value).toBe(1);
    timers.advance(1);
    expect((await reading.get())?.value).toBe(2);
  });

  it('returns what was read before when a reading hangs, and nothing before the first one', async () => {
    const timers = new ManualTimers();
    let answer: (value: string) => void = () => undefined;
    const reading = new BoundedReading<string>(
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
      { timers, ...BOUNDS },
    );
    const first = reading.get();
    timers.advance(BOUNDS.waitMs);
    expect(await first).toBeNull();
    answer('late');
    await expect.poll(() => reading.get()).toMatchObject({ value: 'late' });
    const { readAt } = (await reading.get()) ?? {};
    timers.advance(BOUNDS.freshMs);
    const second = reading.get();
    timers.advance(BOUNDS.waitMs);
    expect(await second).toEqual({ value: 'late', readAt });
  });

  it('keeps what was read when a later reading fails, and reads again', async () => {
    const timers = new ManualTimers();
    let isDown = false;
    const reading = new BoundedReading(
      async () => {
        if (isDown) throw new Error('it is gone');
        return 'here';
      },
      { timers, ...BOUNDS },
    );
    const before = await reading.get();
    isDown = true;
    timers.advance(BOUNDS.freshMs);
    expect(await reading.get()).toEqual(before);
    isDown = false;
    expect(await reading.get()).toEqual({ value: 'here', readAt: timers.now() });
  });

  it('reads again when the clock was set back', async () => {
    let now = 1_000_000;
    let reads = 0;
    const timers = { now: () => now, after: () => () => undefined };
    const reading = new BoundedReading(async () => ++reads, { timers, ...BOUNDS });
    await reading.get();
    now -= 500_000;
    expect((await reading.get())?.value).toBe(2);
  });
});

const BOUNDS = { freshMs: 4_000, waitMs: 500 };
