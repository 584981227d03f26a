import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { createPrometheus } from '../src/gateway/metrics/prometheus.ts';
import { documentedMetrics } from './documented-metrics.ts';

const read = (path: string) => readFileSync(new URL(`../docs/${path}`, import.meta.url), 'utf8');
const rules = read('monitoring/alerts.yml');
const { panels }: { panels: readonly Panel[] } = JSON.parse(read('monitoring/dashboard.json'));
const alerts = [...rules.matchAll(/^ {6}- alert: (\w+)\n {8}expr: (['"]?)(.+)\2$/gm)].map(
  ([, name = '', , expr = '']) => ({ name, expr }),
);
const queries = [
  ...alerts,
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ name: title, expr }))),
];

/** Labels by metric. Those of the process are read from a registry; those of Sluice are held to a running instance. */
let known: Map<string, readonly string[]>;
beforeAll(setUp);

describe.each(queries)('$name', ({ expr }) => {
  it('asks for metrics and labels that there are', () => {
    const metrics = [...expr.matchAll(METRIC)];
    const labels = metrics.flatMap(([, metric = '']) => labelsOf(metric) ?? []);
    expect(metrics.filter(([, metric = '']) => labelsOf(metric) === undefined)).toEqual([]);
    for (const [, metric = '', matchers = ''] of metrics)
      for (const [, label = ''] of matchers.matchAll(/(\w+)[=!]/g))
        expect([...(labelsOf(metric) ?? []), ...ADDED], metric).toContain(label);
    for (const [, list = ''] of expr.matchAll(/\bby \(([^)]*)\)/g))
      for (const label of list.split(', ')) expect([...labels, ...ADDED]).toContain(label);
  });

  it('compares labels with values that the documentation names', () => {
    const values = [...expr.matchAll(/\w+="([a-z][a-z-]*)"/g)].map(([, value = '']) => value);
    const pages = read('operation.md') + read('makers.md');
    for (const value of values.filter((one) => one !== 'sluice')) expect(pages).toContain(`\`${value}\``);
  });
});

describe('alerts', () => {
  it('are all read by this test', () => {
    expect(alerts.length).toBe([...rules.matchAll(/alert:/g)].length);
    expect(new Set(alerts.map(({ name }) => name)).size).toBe(alerts.length);
  });

  it('each name a section of the runbooks, and each section has its alert', () => {
    const named = [...rules.matchAll(/runbook: docs\/runbooks\.md#(\w+)/g)].map(([, anchor = '']) => anchor);
    expect(named).toEqual(alerts.map(({ name }) => name.toLowerCase()));
    const sections = read('runbooks.md').split(/^## /m).slice(1);
    const headings = sections.map((section) => section.slice(0, section.indexOf('\n')));
    expect(headings.toSorted()).toEqual(alerts.map(({ name }) => name).toSorted());
    for (const section of sections)
      for (const part of ['**Means.**', '**Look.**', '**Do.**']) expect(section).toContain(part);
  });
});

it('the legends of the dashboard name labels that the queries keep', () => {
  for (const { title, targets } of panels)
    for (const { expr, legendFormat } of targets) {
      const kept = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(', '));
      for (const [, label = ''] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
        expect([...kept, ...ADDED], title).toContain(label);
    }
});

interface Panel {
  readonly title: string;
  readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
}

/** What Prometheus adds to each series, and to buckets. */
const ADDED = ['instance', 'job', 'le'];
const METRIC = /\b((?:sluice|nodejs|process)_\w+)(?:\{([^}]*)\})?/g;

async function setUp(): Promise<void> {
  const defaults = await createPrometheus(() => {}).page();
  known = new Map(documentedMetrics());
  for (const [, name = ''] of defaults.matchAll(/^# TYPE (\w+) /gm)) known.set(name, []);
}

const labelsOf = (metric: string) => known.get(metric) ?? known.get(metric.replace(/_bucket$/, ''));
