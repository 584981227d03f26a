import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../../src/testing/random.ts';
import { describeSampling, FeedSampler } from './feed-sampler.ts';

describe('FeedSampler', () => {
  it('shows every line of a feed that is slow enough, the newest first', () => {
    const sampler = new FeedSampler<string>();
    sampler.push(['a', 'b'], 0);
    sampler.push(['c'], 500);
    const { lines, total, perSecond } = sampler.read(600);
    expect(lines.map(({ number, item }) => `${number}${item}`)).toEqual(['3c', '2b', '1a']);
    expect([total, perSecond]).toEqual([3, 3]);
    expect(describeSampling(sampler.read(600))).toBeNull();
  });

  it('shows a burst of a hundred lines whole', () => {
    const sampler = new FeedSampler<number>();
    sampler.push(countTo(100), 0);
    expect(sampler.read(0).lines).toHaveLength(100);
  });

  it('shows a sample of more, spread over the lines and over the second, and says so', () => {
    const sampler = new FeedSampler<number>();
    for (let at = 0; at < 3_000; at += 20) sampler.push(countTo(10), at);
    const sample = sampler.read(2_999);
    expect(describeSampling(sample)).toBe('showing 100 of 500 lines a second');
    const numbers = sample.lines.slice(0, 100).map(({ number }) => number);
    const gaps = numbers.slice(1).map((number, index) => (numbers[index] ?? 0) - number);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(10);
    expect(numbers[0]).toBe(1_500);
  });

  it('keeps the newest lines alone, and counts all', () => {
    const sampler = new FeedSampler<number>(50, 1_000_000);
    for (let at = 0; at < 100; at++) sampler.push([at], at);
    const { lines, total } = sampler.read(100);
    expect([lines.length, lines[0]?.item, lines[49]?.item, total]).toEqual([50, 99, 50, 100]);
  });

  it('never shows more than a hundred lines of any second, and never one twice', () => {
    assertProperty(
      fc.property(fc.array(fc.tuple(fc.nat(400), fc.nat(600))), (arrivals) => {
        const sampler = new FeedSampler<number>(100_000);
        const shownAt = new Map<number, number>();
        let now = 0;
        for (const [waited, count] of arrivals) {
          now += waited;
          sampler.push(countTo(count), now);
          for (const { number } of sampler.read(now).lines)
            if (!shownAt.has(number)) shownAt.set(number, now);
        }
        const times = [...shownAt.values()];
        for (const end of new Set(times))
          expect(times.filter((at) => at > end - 1_000 && at <= end).length).toBeLessThanOrEqual(100);
        const numbers = sampler.read(now).lines.map(({ number }) => number);
        expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => other - one));
      }),
      { cases: 100, seed: 4503 },
    );
  });
});

function countTo(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}
