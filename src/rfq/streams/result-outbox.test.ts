import { describe, expect, it } from 'vitest';
import { ResultOutbox } from './result-outbox.ts';

function open() {
  const clock = { now: 1_000_000 };
  return { clock, ends: new ResultOutbox<string>(() => clock.now) };
}

describe('the ends of swaps for makers', () => {
  it('wait for a maker that is not there, in their order, and are told once', () => {
    const { ends } = open();
    ends.add('one', 'first', false);
    ends.add('one', 'second', false);
    ends.add('other', 'its own', false);
    expect(ends.take('one')).toEqual(['first', 'second']);
    expect(ends.take('one')).toEqual([]);
    expect(ends.take('other')).toEqual(['its own']);
  });

  it('are told again when the stream was lost within half a minute of them, and only then', () => {
    const { ends, clock } = open();
    ends.add('one', 'long before', true);
    clock.now += 20_000;
    ends.add('one', 'shortly before', true);
    clock.now += 10_000;
    ends.lost('one');
    expect(ends.take('one')).toEqual(['shortly before']);
    ends.lost('one');
    clock.now += 60_000;
    expect(ends.take('one')).toEqual(['shortly before']);
    clock.now += 30_000;
    ends.lost('one');
    expect(ends.take('one')).toEqual([]);
  });

  it('are not told again to a maker that took its leave, but for what came afterwards', () => {
    const { ends } = open();
    ends.add('one', 'read', true);
    ends.lost('one');
    ends.left('one');
    ends.lost('one');
    ends.add('one', 'later', false);
    ends.left('one');
    expect(ends.take('one')).toEqual(['later']);
  });

  it('are forgotten after ten minutes, and beyond a thousand of a maker', () => {
    const { ends, clock } = open();
    ends.add('one', 'old', false);
    clock.now += 600_000;
    expect(ends.take('one')).toEqual([]);
    for (let count = 0; count < 1_001; count++) ends.add('one', String(count), false);
    const told = ends.take('one');
    expect([told.length, told[0], told.at(-1)]).toEqual([1_000, '1', '1000']);
  });
});
