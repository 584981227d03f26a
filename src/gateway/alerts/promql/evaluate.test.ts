import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SampleHistory } from '../history/sample-history.ts';
import { computeBinary } from './binary.ts';
import { evaluateExpression } from './evaluate.ts';
import { makeLabelsKey } from './labels.ts';
import { parseExpression } from './parse-expression.ts';

const recorded: RecordedValues = JSON.parse(
  readFileSync(new URL('prometheus-values.json', import.meta.url), 'utf8'),
);

const expressions = [...new Set(recorded.results.map(([expression]) => expression))];

describe('evaluateExpression', () => {
  it.each(expressions)('gives what Prometheus gives for %s', (expression) => {
    for (const [, seconds, expected] of recorded.results.filter(([one]) => one === expression)) {
      const value = evaluateExpression(parseExpression(expression), recordUntil(seconds), seconds * 1_000);
      const found = (typeof value === 'number' ? [] : value).map(
        (one) => [makeLabelsKey(one.labels), one.value] as const,
      );
      const wanted = new Map(expected.map(([labels, text]) => [makeLabelsKey(labels), parseGoNumber(text)]));
      expect(found.map(([key]) => key).sort(), `after ${seconds} s`).toEqual([...wanted.keys()].sort());
      for (const [key, number] of found) expectSame(number, wanted.get(key) ?? 0);
    }
  });

  it('refuses two series of one side that have the same labels', () => {
    const twice = [
      { labels: { x: '1' }, value: 1 },
      { labels: { x: '1', y: '' }, value: 2 },
    ];
    const once = [{ labels: { x: '1' }, value: 1 }];
    expect(() => computeBinary('/', twice, once)).toThrow('have the same labels');
    expect(() => computeBinary('/', once, twice)).toThrow('have the same labels');
  });

  it('joins series whose labels are equal, and computes with numbers', () => {
    const history = new SampleHistory({
      everyMs: 15_000,
      keepMs: new Map([
        ['a', 0],
        ['b', 0],
      ]),
    });
    history.add(0, [
      { metric: 'a', labels: { x: '1' }, value: 1 },
      { metric: 'b', labels: { x: '1' }, value: 2 },
    ]);
    const evaluate = (text: string) => evaluateExpression(parseExpression(text), history, 0);
    expect(evaluate('a / b')).toEqual([{ labels: { x: '1' }, value: 0.5 }]);
    expect(evaluate('a > b')).toEqual([]);
    expect(evaluate('a < b')).toEqual([{ labels: { x: '1' }, value: 1 }]);
    expect(evaluate('2 + 3 * 4')).toBe(14);
    expect(evaluate('a + 1 - -2 * b')).toEqual([{ labels: { x: '1' }, value: 6 }]);
  });
});

/** Series at 15 seconds, and what promtool 2.42 says of expressions over them; numbers as it writes them. */
interface RecordedValues {
  readonly series: Readonly<Record<string, readonly (number | null)[]>>;
  readonly results: readonly (readonly [
    string,
    number,
    readonly (readonly [Readonly<Record<string, string>>, string])[],
  ])[];
}

/** Returns the history of an instance that has sampled the recorded series until a time. */
function recordUntil(seconds: number): SampleHistory {
  const series = Object.entries(recorded.series).map(([name, values]) => {
    const [, metric = '', labels = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(name) ?? [];
    const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(
      ([, label = '', value = '']) => [label, value] as const,
    );
    return { metric, labels: Object.fromEntries(pairs), values };
  });
  const history = new SampleHistory({
    everyMs: 15_000,
    keepMs: new Map(series.map(({ metric }) => [metric, 300_000])),
  });
  const samplings = Math.max(...series.map(({ values }) => values.length));
  for (let number = 0; number < samplings && number * 15 <= seconds; number++) {
    const present = series.flatMap(({ metric, labels, values }) => {
      const value = values[number] ?? null;
      return value === null ? [] : [{ metric, labels, value }];
    });
    history.add(number * 15_000, present);
  }
  return history;
}

const parseGoNumber = (text: string) => Number(text.replace('Inf', 'Infinity'));

/** The last digits may differ, since sums are made in another order. */
function expectSame(found: number, wanted: number): void {
  if (Number.isFinite(wanted)) expect(found).toBeCloseTo(wanted, 10);
  else expect(found).toBe(wanted);
}
