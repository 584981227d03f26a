import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { type SharedLogs, createSharedLogs } from './sliding-log.ts';
import type { Valkey } from './valkey.ts';
import { openTestValkey, TEST_VALKEY_URL } from '../../testing/store/test-valkey.ts';
import { now } from '../../testing/waits.ts';

describe.runIf(TEST_VALKEY_URL !== null)('createSharedLogs', () => {
  let valkey: Valkey;
  let keys = 0;
  beforeAll(setUp);
  afterAll(() => valkey?.close());

  it('counts the same as a count over all times', async () => {
    await assertProperty(
      fc.asyncProperty(gaps, fc.integer({ min: 1, max: 40 }), async (steps, limit) => {
        const key = `log:${keys++}`;
        const times: number[] = [];
        let now = 1_790_000_000_000;
        for (const gap of steps) {
          now += gap;
          const expected = naive(times, now, limit);
          expect(await logsAt(now).hit(key, limit, WINDOW_MS)).toEqual(expected);
          expect(await logsAt(now).count(key, WINDOW_MS)).toBe(Math.min(expected.count, limit));
        }
      }),
      { cases: 15, seed: SEED, against: 'a count over all times' },
    );
  });

  it('counts the same when the limit changes, as with a plan', async () => {
    const limits = fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 2, maxLength: 6 });
    await assertProperty(
      fc.asyncProperty(gaps, limits, async (steps, changing) => {
        const key = `log:${keys++}`;
        const times: number[] = [];
        let now = 1_790_000_000_000;
        for (const [index, gap] of steps.entries()) {
          now += gap;
          const limit = changing[Math.floor(index / 8) % changing.length] ?? 1;
          expect(await logsAt(now).hit(key, limit, WINDOW_MS)).toEqual(naive(times, now, limit));
        }
      }),
      { cases: 15, seed: SEED, against: 'a count over all times' },
    );
  });

  it('removes an entry exactly when it is as old as the window, however many there are', async () => {
    const start = 1_790_000_000_000;
    const hit = (now: number) => logsAt(now).hit('edge', 5_000, WINDOW_MS);
    await Promise.all(Array.from({ length: 500 }, () => hit(start)));
    await hit(start + 1);
    expect(await logsAt(start + WINDOW_MS - 1).count('edge', WINDOW_MS)).toBe(501);
    expect(await logsAt(start + WINDOW_MS).count('edge', WINDOW_MS)).toBe(1);
    expect(await hit(start + WINDOW_MS)).toEqual({ count: 2, leaving: start + 1 });
  });

  it('keeps working when a clock that was wrong is put back', async () => {
    const right = 1_790_000_000_000;
    const wrong = right + 3_600_000;
    const hit = (now: number) => logsAt(now).hit('put back', 2, WINDOW_MS);
    await hit(wrong);
    await hit(wrong + 1_000);
    expect(await hit(right)).toEqual({ count: 3, leaving: right - 1_000 });
    expect(await logsAt(right + 58_999).count('put back', WINDOW_MS)).toBe(2);
    expect(await hit(right + 59_000)).toEqual({ count: 2, leaving: right });
  });

  it('uses the server’s clock, and leaves nothing behind after the window', async () => {
    const logs = createSharedLogs(valkey);
    const before = now();
    const { count, leaving } = await logs.hit('real', 10, 250);
    expect(count).toBe(1);
    expect(Math.abs(leaving - before)).toBeLessThan(60_000);
    await expect.poll(() => logs.count('real', 60_000)).toBe(0);
  });

  async function setUp(): Promise<void> {
    ({ valkey } = await openTestValkey());
  }

  /** Logs with a clock that the test sets. */
  const logsAt = (now: number): SharedLogs => createSharedLogs(valkey, `local now = ${now}`);
});

const SEED = 20_261_121;
const WINDOW_MS = 60_000;

/** Every time that was admitted, and a count over those in the window. */
function naive(times: number[], now: number, limit: number) {
  const time = Math.max(now, times.at(-1) ?? 0);
  const inWindow = times.filter((one) => one > time - WINDOW_MS);
  if (inWindow.length >= limit) return { count: inWindow.length + 1, leaving: inWindow.at(-limit) };
  times.push(time);
  return { count: inWindow.length + 1, leaving: inWindow[0] ?? time };
}

const gaps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.nat({ max: 3_000 }) },
    { weight: 2, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: -5_000, max: 130_000 }) },
    { weight: 1, arbitrary: fc.constantFrom(59_999, 60_000, 60_001) },
  ),
  { minLength: 1, maxLength: 60 },
);
