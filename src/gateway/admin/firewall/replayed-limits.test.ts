import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileRule } from '../../../platform/firewall/evaluate.ts';
import { ReplayedLimits, type RateLimitRule } from '../../../platform/firewall/preview/replay-windows.ts';
import { assertProperty } from '../../../testing/random.ts';
import { SlidingLog } from '../../limits/sliding-log.ts';

describe('ReplayedLimits', () => {
  it('is certain of what is so whichever of the uncertain requests counted, and of that alone', () => {
    let [open, certain] = [0, 0];
    assertProperty(
      fc.property(fc.array(attempt, { maxLength: 12 }), fc.integer({ min: 1, max: 3 }), (attempts, limit) => {
        const told = replay(attempts, limit);
        const worlds = listWorlds(attempts).map((world) => happen(world, limit));
        for (const [index, verdict] of told.entries()) {
          if (verdict === null) {
            open++;
            continue;
          }
          certain++;
          // In the worlds in which it was counted at all.
          for (const world of worlds) if (world[index] !== null) expect(world[index]).toBe(verdict);
        }
        if (attempts.every(({ isCertain }) => isCertain)) expect(told).not.toContain(null);
      }),
      { cases: 2_000, seed: 20_261_132 },
    );
    expect([open > 0, certain > open]).toEqual([true, true]);
  });
});

interface Attempt {
  readonly after: number;
  readonly isCertain: boolean;
  readonly isRefusedByPlan: boolean;
}

const WINDOW_SECONDS = 10;
const attempt: fc.Arbitrary<Attempt> = fc.record({
  after: fc.constantFrom(0, 1_000, 4_000, 6_000, 10_000, 12_000),
  isCertain: fc.nat({ max: 3 }).map((number) => number > 0),
  isRefusedByPlan: fc.nat({ max: 5 }).map((number) => number === 0),
});

function replay(attempts: readonly Attempt[], limit: number): readonly (boolean | null)[] {
  const limits = new ReplayedLimits((windowMs) => new SlidingLog(windowMs));
  const rule = compileRule({
    id: 'r',
    name: 'r',
    enabled: true,
    groups: [],
    createdAt: 0,
    action: { type: 'rate-limit', limit, windowSeconds: WINDOW_SECONDS, per: 'team' },
  }) as RateLimitRule;
  let at = 0;
  return attempts.map(({ after, isCertain, isRefusedByPlan }) => {
    at += after;
    return limits.hit(rule, { at, keyId: 'k', client: 'c', isRefusedByPlan }, isCertain);
  });
}

/** Attempts of which it is known whether the rule decided. */
type World = readonly (Attempt & { readonly isCounted: boolean })[];

function listWorlds(attempts: readonly Attempt[]): readonly World[] {
  return attempts.reduce<World[]>(
    (worlds, one) =>
      worlds.flatMap((world) =>
        (one.isCertain ? [true] : [true, false]).map((isCounted) => [...world, { ...one, isCounted }]),
      ),
    [[]],
  );
}

/** Whether each request was admitted; null: it was not counted. */
function happen(world: World, limit: number): readonly (boolean | null)[] {
  const places: number[] = [];
  let at = 0;
  return world.map(({ after, isCounted, isRefusedByPlan }) => {
    at += after;
    if (!isCounted) return null;
    const inWindow = places.filter((time) => time > at - WINDOW_SECONDS * 1_000).length;
    if (inWindow >= limit) return false;
    if (!isRefusedByPlan) places.push(at);
    return true;
  });
}
