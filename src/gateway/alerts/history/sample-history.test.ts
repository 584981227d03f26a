import { describe, expect, it } from 'vitest';
import { SampleHistory } from './sample-history.ts';

const MINUTE = 60_000;

describe('SampleHistory', () => {
  it('keeps the samples of a range, and not those before', () => {
    const history = open({ a: MINUTE });
    for (let at = 0; at <= 10 * MINUTE; at += 15_000) history.add(at, [sample('a', 'x', at)]);
    const [found] = history.listSamples('a', 9 * MINUTE, 10 * MINUTE);
    expect(found?.values).toEqual([555_000, 570_000, 585_000, 600_000]);
    expect(found?.times).toEqual(found?.values);
    expect(history.listSamples('a', 0, 10 * MINUTE)[0]?.values.length).toBeLessThanOrEqual(6);
    expect(history.firstAt).toBe(0);
  });

  it('knows no value of a series that has ended, and drops it when its range is over', () => {
    const history = open({ a: MINUTE });
    history.add(0, [sample('a', 'x', 1), sample('a', 'y', 2)]);
    history.add(15_000, [sample('a', 'x', 3)]);
    expect(history.listLatest('a', 15_000).map(({ value }) => value)).toEqual([3]);
    expect(history.listSamples('a', -1, 15_000).map(({ values }) => values)).toEqual([[1, 3], [2]]);
    for (let at = 30_000; at < 3 * MINUTE; at += 15_000) history.add(at, [sample('a', 'x', 3)]);
    expect(history.measure().series).toBe(1);
  });

  it('has no latest value five minutes after the last sampling', () => {
    const history = open({ a: 0 });
    history.add(1, [sample('a', 'x', 1)]);
    expect(history.listLatest('a', 5 * MINUTE)).toHaveLength(1);
    expect(history.listLatest('a', 5 * MINUTE + 1)).toEqual([]);
    expect(history.listLatest('a', 0)).toEqual([]);
  });

  it('keeps only the metrics that it was told of', () => {
    const history = open({ a: 0 });
    history.add(0, [sample('b', 'x', 1)]);
    expect(history.listLatest('b', 0)).toEqual([]);
    expect(history.refused.size).toBe(0);
  });

  it('bounds its memory, however many labels there are, and says of which metric samples are missing', () => {
    const history = new SampleHistory({
      everyMs: 15_000,
      keepMs: new Map([
        ['many', MINUTE],
        ['few', MINUTE],
      ]),
      maxSamples: 600,
    });
    for (let round = 0; round < 50; round++) {
      const many = Array.from({ length: 1_000 }, (_, number) => sample('many', `${round}-${number}`, 1));
      history.add(round * 15_000, [sample('few', 'x', round), ...many]);
      expect(history.measure().series).toBeLessThanOrEqual(100);
      expect([...history.refused]).toEqual(['many']);
    }
    expect(history.listLatest('few', 49 * 15_000)).toHaveLength(1);
    for (let round = 50; round < 60; round++) history.add(round * 15_000, [sample('few', 'x', round)]);
    expect(history.refused.size).toBe(0);
    expect(history.measure().series).toBe(1);
  });

  it('bounds the number of series, however few samples each has place for', () => {
    const history = new SampleHistory({ everyMs: 15_000, keepMs: new Map([['many', 0]]), maxSeries: 100 });
    for (let round = 0; round < 5; round++) {
      const many = Array.from({ length: 150 }, (_, number) => sample('many', `${round}-${number}`, 1));
      history.add(round * 15_000, many);
      expect(history.measure().series).toBeLessThanOrEqual(100);
      expect([...history.refused]).toEqual(['many']);
    }
    history.add(5 * 15_000, []);
    history.add(6 * 15_000, []);
    expect(history.measure()).toEqual({ series: 0, bytes: 0 });
    history.add(7 * 15_000, [sample('many', 'x', 1)]);
    expect(history.refused.size).toBe(0);
  });

  it('begins again when the clock was set back', () => {
    const history = open({ a: MINUTE });
    history.add(10 * MINUTE, [sample('a', 'x', 1)]);
    history.add(5 * MINUTE, [sample('a', 'x', 2)]);
    expect(history.listSamples('a', 0, 20 * MINUTE).map(({ values }) => values)).toEqual([[2]]);
    expect(history.firstAt).toBe(5 * MINUTE);
    expect(history.samplings).toBe(1);
  });

  it('takes labels in any order, and an empty one for a missing one', () => {
    const history = open({ a: 0 });
    history.add(0, [{ metric: 'a', labels: { x: '1', y: '2', z: '' }, value: 1 }]);
    history.add(1, [{ metric: 'a', labels: { y: '2', x: '1' }, value: 2 }]);
    expect(history.measure().series).toBe(1);
  });
});

const open = (keepMs: Readonly<Record<string, number>>) =>
  new SampleHistory({ everyMs: 15_000, keepMs: new Map(Object.entries(keepMs)) });

const sample = (metric: string, x: string, value: number) => ({ metric, labels: { x }, value });
