import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ReadinessCheck } from '../../products/product.ts';
import { ManualTimers } from '../../testing/timers.ts';
import { PartWatch } from './part-watch.ts';

describe('PartWatch', () => {
  beforeEach(setUp);
  afterEach(() => watch.close());

  it('remembers since when a part works, and since when it does not, whatever its reason becomes', async () => {
    await watch.first;
    const [begun] = watch.states;
    expect(begun).toMatchObject({ name: 'database', reason: null, since: timers.now(), optional: false });
    reason = 'it does not answer';
    await nextRound();
    const lostAt = timers.now();
    expect(watch.states[0]).toMatchObject({ reason: 'it does not answer', since: lostAt });
    reason = 'its disk is full';
    await nextRound();
    expect(watch.states[0]).toMatchObject({
      reason: 'its disk is full',
      since: lostAt,
      checkedAt: timers.now(),
    });
    reason = null;
    await nextRound();
    expect(watch.states[0]).toMatchObject({ reason: null, since: timers.now() });
    expect(watch.changes).toEqual([
      { part: 'database', at: timers.now(), reason: null },
      { part: 'database', at: lostAt, reason: 'it does not answer' },
    ]);
  });

  it('is checked when every part was that must work', async () => {
    expect(watch.isChecked).toBe(false);
    await watch.first;
    expect(watch.isChecked).toBe(true);
    checks.push({ name: 'keeper', optional: true, unhealthy: async () => null });
    expect(watch.isChecked).toBe(true);
    checks.push({ name: 'rpc', unhealthy: async () => null });
    expect(watch.isChecked).toBe(false);
  });

  it('shows the other parts while one hangs, and says of that one that it has not answered', async () => {
    await watch.first;
    checks.push({ name: 'rpc', optional: true, unhealthy: () => new Promise(() => undefined) });
    await expect.poll(() => timers.waiting).toBe(1);
    timers.advance(PAUSE_MS);
    await expect.poll(() => watch.states[0]?.checkedAt).toBe(timers.now());
    expect(watch.states.map(({ name }) => name)).toEqual(['database']);
    timers.advance(CHECK_MS);
    await expect
      .poll(() => watch.states[1])
      .toMatchObject({ name: 'rpc', optional: true, reason: 'it has not answered within 3 seconds' });
  });

  it('shows no address of a server that a reason names', async () => {
    reason = 'the database does not answer: connect ECONNREFUSED 10.1.2.3:5432';
    await watch.first;
    await nextRound();
    expect(watch.states[0]?.reason).toBe('the database does not answer: connect ECONNREFUSED');
  });

  it('remembers the last hundred changes of a part that comes and goes', async () => {
    await watch.first;
    for (let round = 0; round < 130; round++) {
      reason = reason === null ? 'it is gone' : null;
      await nextRound();
    }
    expect(watch.changes).toHaveLength(100);
    expect(watch.changes[0]?.at).toBe(timers.now());
  });

  it('checks nothing after it was closed', async () => {
    await watch.first;
    watch.close();
    timers.advance(PAUSE_MS);
    expect(timers.waiting).toBe(0);
  });
});

const PAUSE_MS = 5_000;
const CHECK_MS = 3_000;
const QUICKLY = { interval: 1 };

let timers: ManualTimers;
let reason: string | null;
let checks: ReadinessCheck[];
let watch: PartWatch;

function setUp(): void {
  timers = new ManualTimers();
  reason = null;
  checks = [{ name: 'database', unhealthy: async () => reason }];
  watch = new PartWatch({
    checks,
    timers,
    stopwatch: () => 0,
    onDefect: (error) => {
      throw error;
    },
  });
}

/** Lets the pause before the next round pass, and waits for the end of the round. */
async function nextRound(): Promise<void> {
  await expect.poll(() => timers.waiting, QUICKLY).toBe(1);
  timers.advance(PAUSE_MS);
  await expect.poll(() => watch.states[0]?.checkedAt, QUICKLY).toBe(timers.now());
}
