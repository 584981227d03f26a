import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SharedLogs, sharedLogs } from './sliding-log.ts';
import type { Valkey } from './valkey.ts';
import { openTestValkey, TEST_VALKEY_URL } from './valkey-for-tests.ts';

const SEED = 20_261_121;
const WINDOW_MS = 60_000;

/** Every time ever, and a count over those in the window; of more than twice the limit the oldest are forgotten. */
function naive(times: number[], now: number, limit: number) {
  const time = Math.max(now, times.at(-1) ?? 0);
  times.push(time);
  const inWindow = times.filter((one) => one > time - WINDOW_MS).slice(-2 * limit);
  times.splice(0, times.length, ...inWindow);
  return { count: inWindow.length, oldest: inWindow[0] };
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

describe.runIf(TEST_VALKEY_URL !== null)('the sliding log in Valkey', () => {
  let valkey: Valkey;
  let keys = 0;
  beforeAll(async () => {
    ({ valkey } = await openTestValkey());
  });
  afterAll(() => valkey.close());

  /** Logs whose clock stands where the test put it. */
  const logsAt = (now: number): SharedLogs => sharedLogs(valkey, `local now = ${now}`);

  it('says what a count over every time says', async () => {
    await fc.assert(
      fc.asyncProperty(gaps, fc.integer({ min: 1, max: 40 }), async (steps, limit) => {
        const key = `log:${keys++}`;
        const times: number[] = [];
        let now = 1_790_000_000_000;
        for (const gap of steps) {
          now += gap;
          const expected = naive(times, now, limit);
          expect(await logsAt(now).hit(key, limit, WINDOW_MS)).toEqual(expected);
          expect(await logsAt(now).count(key, WINDOW_MS)).toBe(expected.count);
        }
      }),
      { seed: SEED, numRuns: 15 },
    );
  });

  it('lets an entry go exactly when it is as old as the window, however many there are', async () => {
    const start = 1_790_000_000_000;
    const hit = (now: number) => logsAt(now).hit('edge', 5_000, WINDOW_MS);
    await Promise.all(Array.from({ length: 500 }, () => hit(start)));
    await hit(start + 1);
    expect(await logsAt(start + WINDOW_MS - 1).count('edge', WINDOW_MS)).toBe(501);
    expect(await logsAt(start + WINDOW_MS).count('edge', WINDOW_MS)).toBe(1);
    expect(await hit(start + WINDOW_MS)).toEqual({ count: 2, oldest: start + 1 });
  });

  it('goes by the server’s clock, and leaves nothing behind after the window', async () => {
    const logs = sharedLogs(valkey);
    const before = Date.now();
    const { count, oldest } = await logs.hit('real', 10, 250);
    expect(count).toBe(1);
    expect(Math.abs(oldest - before)).toBeLessThan(60_000);
    await expect.poll(() => logs.count('real', 60_000)).toBe(0);
  });
});
