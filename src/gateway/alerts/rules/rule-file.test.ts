import { describe, expect, it } from 'vitest';
import { readRuleFile } from './rule-file.ts';

const RULE = { alert: 'A', expr: 'a' };
/** Each line names the one before ten times. */
const GROWING = ['b', 'c', 'd']
  .map((name, place) => `${name}: &${name} [${Array(10).fill(`*${'abc'[place]}`).join(', ')}]`)
  .join('\n');
const toGroup = (rules: readonly object[]) => JSON.stringify({ groups: [{ name: 'mine', rules }] });
const toFile = (rule: object) => toGroup([{ alert: 'A', ...rule }]);

describe('readRuleFile', () => {
  it('reads an alert with what it compares, and leaves recording rules out', () => {
    const rules = readRuleFile(`
groups:
  - name: mine
    interval: 30s
    rules:
      - record: job:failed
        expr: sum(failed_total)
      - alert: Failing
        expr: |
          rate(failed_total[5m]) / rate(all_total[10m])
            > 0.5
        for: 1h30m
        labels: { severity: critical }
        annotations: { summary: 'x {{ $value }}', runbook_url: https://example.com/ }
`);
    expect(rules).toHaveLength(1);
    expect(rules[0]).toMatchObject({
      name: 'Failing',
      forMs: 5_400_000,
      labels: { severity: 'critical' },
      runbook: 'https://example.com/',
      plan: { threshold: { operator: '>', value: 0.5 }, measured: { operator: '/' } },
    });
    const plan = rules[0]?.plan;
    expect(plan !== undefined && 'reads' in plan ? [...plan.reads] : []).toEqual([
      ['failed_total', 300_000],
      ['all_total', 600_000],
    ]);
  });

  it('compares nothing where the expression ends otherwise', () => {
    for (const expr of ['a > b', 'a', '1 < a'])
      expect(readRuleFile(toFile({ expr }))[0]).toMatchObject({ plan: { threshold: null } });
  });

  it.each([
    [{ expr: 'a and b' }, '"and"'],
    [{ expr: '1' }, 'needs series'],
    [{ expr: 'rate(a[2h])' }, 'longer than an hour'],
    [{ expr: 'a', for: 'soon' }, 'is not a duration'],
    [{ expr: 'a', keep_firing_for: '5m' }, 'keep_firing_for'],
    [{ expr: 'a', labels: { x: '{{ $value }}' } }, 'label with a template'],
    [{ expr: 'a', annotations: { summary: '{{ range }}' } }, 'in a summary'],
  ])('keeps %j, which it cannot evaluate, with the reason', (rule, reason) => {
    const [read] = readRuleFile(toFile(rule));
    expect(read?.name).toBe('A');
    expect(read?.plan).toMatchObject({ refusal: expect.stringContaining(reason) });
  });

  it.each([
    ['text that is no YAML', 'a: [', 'not YAML'],
    ['an empty file', '', 'not the form'],
    ['something else', 'groups: 1', 'not the form'],
    ['an alert without an expression', 'groups: [{ rules: [{ alert: A }] }]', 'not the form'],
    ['two alerts of one name', toGroup([RULE, RULE]), 'twice'],
    [
      'too many alerts',
      toGroup(Array.from({ length: 201 }, (_, n) => ({ ...RULE, alert: `A${n}` }))),
      'at most 200',
    ],
    ['aliases that grow', `a: &a [x]\n${GROWING}`, 'not YAML'],
  ])('refuses %s', (_, text, reason) => {
    expect(() => readRuleFile(text)).toThrow(reason);
  });
});
