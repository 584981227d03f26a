import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../testing/random.ts';
import type { TimeRange } from '../../reported-transactions.ts';
import { Coverage } from './coverage.ts';

describe('Coverage', () => {
  it('is complete only between the margins of what was reported', () => {
    const coverage = new Coverage();
    expect(coverage.isComplete({ from: NOW, to: NOW + 60 })).toBe(false);
    coverage.begin(NOW);
    expect(coverage.isComplete({ from: NOW, to: NOW + 60 })).toBe(false);
    expect(coverage.isComplete({ from: NOW + 10, to: NOW + 60 })).toBe(true);
    coverage.lose(NOW + 100);
    expect(coverage.isComplete({ from: NOW + 10, to: NOW + 80 })).toBe(true);
    expect(coverage.isComplete({ from: NOW + 10, to: NOW + 81 })).toBe(false);
    coverage.begin(NOW + 200);
    expect(coverage.isComplete({ from: NOW + 10, to: NOW + 80 })).toBe(true);
    expect(coverage.isComplete({ from: NOW + 80, to: NOW + 81 })).toBe(false);
    expect(coverage.isComplete({ from: NOW + 210, to: NOW + 300 })).toBe(true);
  });

  it('claims no more when it has to join gaps', () => {
    const coverage = new Coverage();
    coverage.begin(NOW);
    for (let i = 1; i <= 2_000; i++) coverage.miss(NOW + i * 1_000);
    expect(coverage.isComplete({ from: NOW + 100, to: NOW + 200 })).toBe(false);
    expect(coverage.isComplete({ from: NOW + 2_000_000 - 60, to: NOW + 2_000_000 })).toBe(false);
    expect(coverage.isComplete({ from: NOW + 1_999_100, to: NOW + 1_999_900 })).toBe(true);
  });
});

describe('Coverage of an earlier watch', () => {
  it.each([
    ['before the first report', ['resume', 'begin']],
    ['after it', ['begin', 'resume']],
  ])('is told %s', (_, steps) => {
    const coverage = new Coverage();
    for (const step of steps) {
      if (step === 'begin') coverage.begin(NOW);
      else coverage.resume(KNOWN);
    }
    expect(coverage.isComplete(KNOWN)).toBe(true);
    expect(coverage.isComplete({ ...KNOWN, from: KNOWN.from - 1 })).toBe(false);
    expect(coverage.isComplete({ ...KNOWN, to: KNOWN.to + 1 })).toBe(false);
    const gap = coverage.gapWithin({ from: KNOWN.from, to: NOW + 100 }, () => true);
    expect(gap).toEqual({ from: KNOWN.to, to: NOW + 10 });
    if (gap !== null) coverage.close(gap);
    expect(coverage.isComplete({ from: KNOWN.from, to: NOW + 100 })).toBe(true);
    expect(coverage.lastComplete(NOW + 100)).toEqual({ from: KNOWN.from, to: NOW + 100 });
  });

  it('leaves a gap right after the first report apart, so that it can be closed', () => {
    const coverage = new Coverage();
    coverage.begin(NOW);
    coverage.lose(NOW + 5);
    coverage.begin(NOW + 50);
    const gap = coverage.gapWithin({ from: NOW, to: NOW + 100 }, () => true);
    expect(gap).toEqual({ from: NOW + 10, to: NOW + 60 });
    coverage.miss(NOW - 100);
    if (gap !== null) coverage.close(gap);
    expect(coverage.isComplete({ from: NOW + 10, to: NOW + 100 })).toBe(true);
    expect(coverage.isComplete({ from: NOW + 9, to: NOW + 100 })).toBe(false);
  });

  it('ends where transactions are missing', () => {
    const coverage = new Coverage();
    expect(coverage.lastComplete(NOW)).toBeNull();
    coverage.begin(NOW);
    expect(coverage.lastComplete(NOW + 5)).toBeNull();
    expect(coverage.lastComplete(NOW + 500)).toEqual({ from: NOW + 10, to: NOW + 500 });
    coverage.miss(NOW + 480);
    expect(coverage.lastComplete(NOW + 500)).toEqual({ from: NOW + 10, to: NOW + 420 });
    expect(coverage.lastComplete(NOW + 900)).toEqual({ from: NOW + 540, to: NOW + 900 });
    coverage.lose(NOW + 700);
    expect(coverage.lastComplete(NOW + 900)).toEqual({ from: NOW + 540, to: NOW + 680 });
  });

  const KNOWN = { from: NOW - 1_000, to: NOW - 100 };
});

describe('Coverage whose clock goes ahead and back', () => {
  it('never claims a time of which something is missing', () => {
    const event = fc.record({
      kind: fc.constantFrom('miss', 'lose', 'begin'),
      now: fc.integer({ min: 0, max: 5_000 }),
    });
    assertProperty(
      fc.property(fc.array(event, { maxLength: 30 }), (events) => {
        const coverage = new Coverage();
        coverage.begin(-1_000);
        const missed: TimeRange[] = [];
        let lostAt: number | null = null;
        for (const { kind, now } of events) {
          if (kind === 'miss') {
            coverage.miss(now);
            missed.push({ from: now - 60, to: now + 60 });
          } else if (kind === 'lose') {
            coverage.lose(now);
            lostAt ??= now - 20;
          } else {
            coverage.begin(now);
            if (lostAt !== null) missed.push({ from: Math.min(lostAt, now), to: Math.max(lostAt, now + 10) });
            lostAt = null;
          }
        }
        const lacks = ({ from, to }: TimeRange) =>
          missed.some((gap) => gap.from < to && gap.to > from) || (lostAt !== null && to > lostAt);
        for (let from = 0; from < 5_000; from += 50) {
          const range = { from, to: from + 50 };
          expect(coverage.isComplete(range)).toBe(!lacks(range));
        }
        const last = coverage.lastComplete(5_000);
        if (last !== null) expect(lacks(last)).toBe(false);
      }),
      { cases: 100, seed: 20_261_124 },
    );
  });
});

const NOW = 1_800_000_000;
