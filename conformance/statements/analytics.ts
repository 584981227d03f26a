import { setTimeout as sleep } from 'node:timers/promises';
import { unless } from '../answer.ts';
import type { Statement } from '../statement.ts';
import type { World } from '../world.ts';

const LABELS = '/swap/v2/program-id-to-label';
const MAX_ATTEMPTS = 40;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Sends three requests that succeed and one that fails. @returns the analytics of them alone, of the last `range` ms */
async function analyticsOf(world: World, range = HOUR_MS) {
  const { slug, key } = await world.newOrganisation();
  for (let sent = 0; sent < 3; sent++) await world.ask(LABELS, { key });
  await world.ask('/swap/v2/order?amount=x', { key });
  const until = Date.now() + 1_000;
  const path = `/admin/v1/organisations/${slug}/analytics?since=${until - range}&until=${until}`;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const { json, text } = await world.admin('GET', path);
    if (json?.total === undefined) throw new Error(text);
    if (json.total.requests === 4) return json;
    await sleep(25);
  }
  throw new Error('the four requests were not counted');
}

function bucketOf(id: string, range: number, minutes: number, says: string): Statement {
  return {
    id: `analytics/bucket-${id}`,
    says: `A range of ${says} is answered in buckets of ${minutes} minutes.`,
    check: async (world) => {
      const { bucketMinutes, series } = await analyticsOf(world, range);
      const areAligned = series.every(({ at }: { at: number }) => at % (minutes * 60_000) === 0);
      return unless(bucketMinutes === minutes && series.length > 0 && areAligned, { bucketMinutes, series });
    },
  };
}

export const analyticsStatements: readonly Statement[] = [
  bucketOf('hour', HOUR_MS, 1, 'an hour'),
  bucketOf('day', DAY_MS, 15, 'a day'),
  bucketOf('week', 7 * DAY_MS, 360, '7 days'),
  bucketOf('month', 30 * DAY_MS, 720, '30 days'),
  bucketOf('longer', 90 * DAY_MS, 1_440, '90 days'),
  {
    id: 'analytics/headline',
    says: 'The headline has requests, errors with their share, credits, and p50, p95 and p99 of the latency.',
    check: async (world) => {
      const { total } = await analyticsOf(world);
      const { requests, clientErrors, serverErrors, errorShare, credits, latency } = total;
      const isCounted = requests === 4 && clientErrors === 1 && serverErrors === 0 && errorShare === 0.25;
      const isTimed = latency.p50 > 0 && latency.p95 >= latency.p50 && latency.p99 >= latency.p95;
      return unless(isCounted && credits === 4 && isTimed, total);
    },
  },
  {
    id: 'analytics/change',
    says: 'Every number of the headline is compared with the range of the same length before.',
    check: async (world) => {
      const { previous, change } = await analyticsOf(world);
      const names = ['requests', 'errors', 'errorShare', 'credits', 'p50', 'p95', 'p99'];
      const areThere = names.every((name) => change[name] === null);
      return unless(previous.requests === 0 && areThere, { previous, change });
    },
  },
  {
    id: 'analytics/series',
    says: 'Requests, latency and credits are reported over time, and add up to the headline.',
    check: async (world) => {
      const { series, total } = await analyticsOf(world);
      const sum = (name: string) =>
        series.reduce((all: number, row: Record<string, number>) => all + (row[name] ?? 0), 0);
      const addsUp = sum('requests') === total.requests && sum('credits') === total.credits;
      return unless(addsUp && series[0].latency.p50 > 0, series);
    },
  },
  {
    id: 'analytics/statuses',
    says: 'Status codes are counted.',
    check: async (world) => {
      const { statuses } = await analyticsOf(world);
      const seen = JSON.stringify(statuses);
      return unless(seen === '[{"status":200,"requests":3},{"status":400,"requests":1}]', statuses);
    },
  },
  {
    id: 'analytics/countries',
    says: 'Countries are counted; where none is known, it is null.',
    check: async (world) => {
      const { countries } = await analyticsOf(world);
      return unless(JSON.stringify(countries) === '[{"country":null,"requests":4}]', countries);
    },
  },
  {
    id: 'analytics/top-paths',
    says: 'The paths with the most requests are listed, with their errors and latencies.',
    check: async (world) => {
      const { endpoints } = await analyticsOf(world);
      const [first, second] = endpoints;
      const isSorted = first?.endpoint === LABELS && first.requests === 3 && second?.clientErrors === 1;
      return unless(isSorted && first.latency.p50 > 0 && first.latency.p90 > 0, endpoints);
    },
  },
  {
    id: 'analytics/keys',
    says: 'The keys with the most requests are listed.',
    check: async (world) => {
      const { keys } = await analyticsOf(world);
      return unless(keys.length === 1 && keys[0].key === 'key' && keys[0].requests === 4, keys);
    },
  },
  {
    id: 'analytics/firewall',
    says: 'The firewall has its outcomes over time and the matches of each rule.',
    check: async (world) => {
      const { slug, team, key } = await world.newOrganisation();
      await world.admin('POST', `/admin/v1/organisations/${slug}/teams/${team}/rules`, {
        name: 'watch',
        groups: [[{ type: 'method', values: ['GET'] }]],
        action: { type: 'log' },
      });
      await world.ask(LABELS, { key });
      await sleep(50);
      const { json } = await world.admin('GET', `/admin/v1/organisations/${slug}/analytics`);
      const matched = json.firewall.find(({ outcome }: { outcome: string }) => outcome === 'matched');
      const isSeen = matched?.rule === 'watch' && matched.requests === 1;
      return unless(isSeen && json.firewallSeries[0]?.outcome === 'log', json);
    },
  },
];
