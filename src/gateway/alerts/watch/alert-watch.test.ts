import { describe, expect, it } from 'vitest';
import { ManualTimers } from '../../../testing/timers.ts';
import { yieldToOtherWork } from '../../../testing/waits.ts';
import type { MetricValue } from '../../metrics/metric-value.ts';
import { readRuleFile } from '../rules/rule-file.ts';
import { AlertWatch } from './alert-watch.ts';
import type { WatchedAlert } from './watched-alert.ts';

describe('AlertWatch', () => {
  it('fires after its expression has held for long enough, and is quiet at once when it no longer does', async () => {
    const { set, tick, alert, changes, timers } = await open({ expr: 'depth > 5', for: '30s' }, { depth: 3 });
    expect(alert()).toMatchObject({ state: 'quiet', active: [], readings: [{ value: 3 }] });
    set({ depth: 7 });
    await tick();
    const since = timers.now();
    expect(alert()).toMatchObject({
      state: 'pending',
      since,
      active: [{ activeAt: since, firingAt: null, value: 7 }],
    });
    await tick();
    expect(alert()).toMatchObject({ state: 'pending', since });
    expect(changes).toEqual([]);
    await tick();
    expect(alert()).toMatchObject({
      state: 'firing',
      since: timers.now(),
      active: [{ state: 'firing', activeAt: since, firingAt: timers.now(), summary: 'depth is 7 at a:1' }],
    });
    set({ depth: 5 });
    await tick();
    expect(alert()).toMatchObject({ state: 'quiet', active: [], lastFiredAt: timers.now() });
    expect(changes.map(({ state }) => state)).toEqual(['firing', 'quiet']);
  });

  it('begins to count again when its expression has not held once', async () => {
    const { set, tick, alert } = await open({ expr: 'depth > 5', for: '30s' }, { depth: 7 });
    await tick();
    set({ depth: 1 });
    await tick();
    set({ depth: 7 });
    await tick(2);
    expect(alert().state).toBe('pending');
    await tick();
    expect(alert().state).toBe('firing');
  });

  it('fires for each combination of labels by itself, and lists no more than fifty', async () => {
    const { tick, alert, watch } = await open({ expr: 'depth > 5', for: '15s' }, {}, (at) =>
      Array.from({ length: 60 }, (_, queue) => ({
        metric: 'depth',
        labels: { queue: `${queue}` },
        value: at % 2 === 1 && queue > 55 ? 0 : 9,
      })),
    );
    await tick();
    expect(alert()).toMatchObject({ state: 'firing', activeCount: 56 });
    expect(alert().active).toHaveLength(50);
    expect(alert().readings).toHaveLength(8);
    expect(watch.listCurves('A')).toHaveLength(8);
  });

  it('is unknown until a range has two samples, and says from when on it is known', async () => {
    const { tick, alert, timers } = await open({ expr: 'rate(depth[5m]) > 0' }, { depth: 3 });
    expect(alert()).toMatchObject({
      state: 'unknown',
      reason: { kind: 'history', from: timers.now() + 15_000 },
    });
    await tick();
    expect(alert()).toMatchObject({ state: 'quiet', reason: null });
  });

  it.each([
    [{ expr: 'other > 1' }, { kind: 'metric', metrics: ['other'] }],
    [{ expr: 'depth and depth' }, { kind: 'refused', message: expect.stringContaining('"and"') }],
  ])('is unknown for %j', async (rule, reason) => {
    const { alert, watch } = await open(rule, { depth: 3 });
    expect(alert()).toMatchObject({ state: 'unknown', reason });
    expect(watch.read().counts).toEqual({ firing: 0, pending: 0, quiet: 0, unknown: 1 });
  });

  it('finds the instance down while its metrics do not answer, and begins no second reading', async () => {
    let readings = 0;
    const { tick, alert, hold } = await open(
      { expr: 'up{job="sluice"} == 0', for: '15s' },
      { depth: 3 },
      () => {
        readings++;
        return [];
      },
    );
    expect(alert()).toMatchObject({ state: 'quiet', readings: [{ value: 1 }] });
    hold();
    await tick(6);
    expect(alert().state).toBe('firing');
    expect(readings).toBe(2);
  });

  it('finds the instance down when its metrics cannot be read, and reports why', async () => {
    const { tick, alert, defects } = await open({ expr: 'up == 0' }, {}, () => {
      throw new Error('broken');
    });
    await tick();
    expect(alert().state).toBe('firing');
    expect(defects.map(String)).toEqual(['Error: broken', 'Error: broken']);
  });

  it('remembers what it compared in the last hour', async () => {
    const { set, tick, watch, timers } = await open({ expr: 'depth > 5' }, { depth: 0 });
    for (let step = 1; step <= 300; step++) {
      set({ depth: step });
      await tick();
    }
    const [curve] = watch.listCurves('A') ?? [];
    expect(curve?.values).toEqual(Array.from({ length: 240 }, (_, index) => 61 + index));
    expect(curve?.times.at(-1)).toBe(timers.now());
    expect(watch.listCurves('B')).toBeNull();
  });

  it('does not fire early when the clock was set back', async () => {
    const { tick, alert, timers } = await open({ expr: 'depth > 5', for: '1m' }, { depth: 9 });
    await tick();
    timers.setBack(3_600_000);
    await tick();
    expect(alert()).toMatchObject({ state: 'pending', active: [{ activeAt: timers.now() }] });
  });

  it('samples nothing after it was stopped', async () => {
    const { tick, watch } = await open({ expr: 'depth > 5' }, { depth: 9 });
    const before = watch.read().evaluatedAt;
    watch.stop();
    await tick();
    expect(watch.read().evaluatedAt).toBe(before);
  });
});

/** A clock that can also be set back. */
class MovedTimers extends ManualTimers {
  #back = 0;

  setBack(ms: number): void {
    this.#back += ms;
  }

  override now(): number {
    return super.now() - this.#back;
  }
}

/**
 * Starts a watch of one alert over made-up metrics.
 * @param read - Returns their series at each reading, which is numbered from 0. Default: one for each value that is set.
 */
async function open(
  rule: object,
  values: Readonly<Record<string, number>>,
  read?: (number: number) => readonly MetricValue[],
) {
  const timers = new MovedTimers();
  let present = values;
  let isHeld = false;
  let number = 0;
  const changes: WatchedAlert[] = [];
  const defects: unknown[] = [];
  const annotations = { summary: 'depth is {{ $value }} at {{ $labels.instance }}' };
  const list = () => Object.entries(present).map(([metric, value]) => ({ metric, labels: {}, value }));
  const watch = new AlertWatch({
    rules: readRuleFile(JSON.stringify({ groups: [{ rules: [{ alert: 'A', annotations, ...rule }] }] })),
    source: 'mine.yml',
    metrics: {
      hasMetric: (metric) => metric === 'depth',
      read: async () => {
        const series = read?.(number++) ?? list();
        return isHeld ? new Promise(() => {}) : series;
      },
    },
    getInstanceName: () => 'a:1',
    timers,
    pause: async () => {},
    onChange: (change) => changes.push(change),
    onDefect: (error) => defects.push(error),
  });
  await watch.start();
  return {
    watch,
    timers,
    changes,
    defects,
    set: (next: Readonly<Record<string, number>>) => {
      present = next;
    },
    hold: () => {
      isHeld = true;
    },
    alert: () => watch.read().alerts[0] as WatchedAlert,
    tick: async (times = 1) => {
      for (let time = 0; time < times; time++) {
        timers.advance(15_000);
        await yieldToOtherWork();
      }
    },
  };
}
