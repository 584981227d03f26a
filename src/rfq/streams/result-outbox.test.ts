import { describe, expect, it } from 'vitest';
import { ResultOutbox } from './result-outbox.ts';

describe('ResultOutbox', () => {
  it('keeps results for a maker that is not connected, in their order, and returns them once', () => {
    const { ends } = open();
    ends.add('one', 'first', false);
    ends.add('one', 'second', false);
    ends.add('other', 'its own', false);
    expect(ends.takeUndelivered('one')).toEqual(['first', 'second']);
    expect(ends.takeUndelivered('one')).toEqual([]);
    expect(ends.takeUndelivered('other')).toEqual(['its own']);
  });

  it('returns results again only if the stream was lost within half a minute', () => {
    const { ends, clock } = open();
    ends.add('one', 'long before', true);
    clock.now += 20_000;
    ends.add('one', 'shortly before', true);
    clock.now += 10_000;
    ends.connectionLost('one');
    expect(ends.takeUndelivered('one')).toEqual(['shortly before']);
    ends.connectionLost('one');
    clock.now += 60_000;
    expect(ends.takeUndelivered('one')).toEqual(['shortly before']);
    clock.now += 30_000;
    ends.connectionLost('one');
    expect(ends.takeUndelivered('one')).toEqual([]);
  });

  it('does not return results again that the maker has read, but later ones', () => {
    const { ends } = open();
    ends.add('one', 'read', true);
    ends.connectionLost('one');
    ends.connectionRead('one');
    ends.connectionLost('one');
    ends.add('one', 'later', false);
    ends.connectionRead('one');
    expect(ends.takeUndelivered('one')).toEqual(['later']);
  });

  it('drops results after ten minutes, and beyond a thousand per maker', () => {
    const { ends, clock } = open();
    ends.add('one', 'old', false);
    clock.now += 600_000;
    expect(ends.takeUndelivered('one')).toEqual([]);
    for (let count = 0; count < 1_001; count++) ends.add('one', String(count), false);
    const told = ends.takeUndelivered('one');
    expect([told.length, told[0], told.at(-1)]).toEqual([1_000, '1', '1000']);
  });
});

function open() {
  const clock = { now: 1_000_000 };
  return { clock, ends: new ResultOutbox<string>(() => clock.now) };
}
