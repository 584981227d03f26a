import type { Static } from 'typebox';
import { getOrganisation } from '../../../platform/accounts/organisations.ts';
import type { PlatformDependencies } from '../../../platform/dependencies.ts';
import { getTeam } from '../../../platform/accounts/teams.ts';
import {
  analyse,
  type AnalyticsQuestion,
  BUCKET_MINUTES,
  chooseBucket,
} from '../../../platform/traffic/analytics.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, MINUTES_KEPT_MS } from '../../../platform/traffic/log/log-tables.ts';
import type { TrafficTotal } from '../../../platform/traffic/traffic-totals.ts';
import { readOwnerNames, readTeamsOfKeys } from '../../../platform/traffic/names.ts';
import type { TrafficLog } from '../../../platform/traffic/log/traffic-log.ts';
import {
  type CreditUse,
  readMonthCredits,
  getMonth,
  listMonths,
  readUsage,
} from '../../../platform/traffic/usage.ts';
import { findPlanBefore } from '../../../platform/plans/plan-history.ts';
import { RequestInvalid } from '../../http/validation.ts';
import { defineAdminEndpoint } from '../endpoint/admin-endpoint.ts';
import { ORGANISATIONS } from '../platform/resource-paths.ts';
import { OrganisationParams } from '../platform/platform-schema.ts';
import * as shape from './traffic-schema.ts';
import { unwrapResult } from '../access/unwrap-result.ts';
import { resolveTimeRange } from './time-range.ts';
import type { TrafficServices } from './traffic-services.ts';

const USAGE_DAYS = 30;
/** The longest series: a minute more than a day by the minute, or 60 days by the hour. */
const MAX_BUCKETS = 1_441;

const usage = defineAdminEndpoint({
  method: 'GET',
  path: `${ORGANISATIONS}/:organisation/usage`,
  right: 'organisation.read',
  summary: 'The usage of an organisation by day, key or endpoint, and its credits of the month',
  params: OrganisationParams,
  query: shape.UsageQuery,
  responses: { 200: shape.UsageAnswer },
  handle: async ({ platform, log }: TrafficServices, { params: { organisation }, query }) => {
    const { db } = platform.store;
    const known = unwrapResult(await getOrganisation(db, organisation));
    const { id: organisationId, plan } = known;
    const { by = 'day', team } = query;
    const range = resolveTimeRange(query, platform.now() + 1, USAGE_DAYS);
    const rows = await readUsage(log, by, {
      organisationId,
      ...range,
      ...(team === undefined ? {} : { teamId: unwrapResult(await getTeam(db, { organisation, team })).id }),
    });
    const keys = by === 'key' ? rows.map(({ of }) => of) : [];
    const names = await readOwnerNames(db, { organisations: [], teams: [], keys });
    const teamOf = await readTeamsOfKeys(db, keys);
    const nameOf = { day: formatDay, key: names.key, endpoint: (of: string) => of }[by];
    const months: CreditUse[] = [];
    for (const month of listMonths(range)) {
      const planAtEnd = await findPlanBefore(db, known, month.until);
      months.push(await readMonthCredits(log, organisationId, planAtEnd, month));
    }
    return {
      month: await readMonthCredits(log, organisationId, plan, getMonth(platform.now())),
      months,
      rows: rows.map((row) => ({
        ...row,
        of: nameOf(row.of),
        ...(by === 'key' ? { team: teamOf(row.of) } : {}),
      })),
    };
  },
});

const analyticsOfAll = defineAdminEndpoint({
  method: 'GET',
  path: '/admin/v1/analytics',
  summary: 'Analytics of all requests',
  query: shape.AnalyticsQuery,
  responses: { 200: shape.AnalyticsAnswer },
  handle: async ({ platform, log }: TrafficServices, { query }) =>
    answerAnalytics(platform, log, { ...query, organisationId: null, teamId: null }),
});

const analyticsOfOrganisation = defineAdminEndpoint({
  method: 'GET',
  path: `${ORGANISATIONS}/:organisation/analytics`,
  right: 'organisation.read',
  summary: 'Analytics of an organisation or a team',
  params: OrganisationParams,
  query: shape.OrganisationAnalyticsQuery,
  responses: { 200: shape.AnalyticsAnswer },
  handle: async (
    { platform, log }: TrafficServices,
    { params: { organisation }, query: { team, ...query } },
  ) => {
    const { db } = platform.store;
    const { id: organisationId } = unwrapResult(await getOrganisation(db, organisation));
    const teamId = team === undefined ? null : unwrapResult(await getTeam(db, { organisation, team })).id;
    return answerAnalytics(platform, log, { ...query, organisationId, teamId });
  },
});

/** Usage and analytics: of one organisation for its members, of all for the operator. */
export const TRAFFIC_ENDPOINTS = [usage, analyticsOfAll, analyticsOfOrganisation];

async function answerAnalytics(
  { store, now }: PlatformDependencies,
  log: TrafficLog,
  asked: Static<typeof shape.AnalyticsQuery> & Pick<AnalyticsQuestion, 'organisationId' | 'teamId'>,
) {
  const { organisationId, teamId } = asked;
  const range = resolveTimeRange(asked, now() + 1, 1);
  const per = asked.per ?? chooseBucket(range, log.minutesSince);
  checkBuckets(per, range, log.minutesSince);
  const { keys, firewall, ...rest } = await analyse(log, { organisationId, teamId, per, ...range });
  const names = await readOwnerNames(store.db, {
    organisations: [...keys, ...firewall].map((row) => row.organisationId),
    teams: [...keys, ...firewall].map((row) => row.teamId),
    keys: keys.map(({ keyId }) => keyId),
  });
  return {
    bucketMinutes: rest.bucketMinutes,
    range: rest.range,
    previousRange: rest.previousRange,
    countedSince: rest.countedSince,
    total: rest.total,
    previous: rest.previous,
    change: computeTrafficChange(rest.total, rest.previous),
    series: [...rest.series],
    previousSeries: [...rest.previousSeries],
    endpoints: [...rest.endpoints],
    keys: keys.map(({ organisationId: ofKey, teamId: keyTeam, keyId, ...row }) => ({
      organisation: ofKey === '' ? null : names.organisation(ofKey),
      team: keyTeam === '' ? null : names.team(keyTeam),
      key: names.key(keyId),
      ...row,
    })),
    statuses: [...rest.statuses],
    countries: [...rest.countries],
    firewall: firewall.map((row) => ({
      organisation: names.organisation(row.organisationId),
      team: names.team(row.teamId),
      rule: row.rule,
      outcome: row.outcome,
      requests: row.requests,
    })),
    firewallSeries: [...rest.firewallSeries],
  };
}

/** @throws RequestInvalid if a series would be too long, or is asked for by the minute where only hours are kept */
function checkBuckets(
  per: AnalyticsQuestion['per'],
  { since, until }: { readonly since: number; readonly until: number },
  minutesSince: number,
): void {
  const bucketMs = BUCKET_MINUTES[per] * MINUTE_MS;
  if ((until - since) / bucketMs > MAX_BUCKETS) {
    throw new RequestInvalid(
      `the range from since to until has more than ${MAX_BUCKETS} elements with per=${per}; ask for longer ones`,
    );
  }
  if (bucketMs < HOUR_MS && since < minutesSince) {
    throw new RequestInvalid(
      `requests are counted by the minute for ${MINUTES_KEPT_MS / DAY_MS} days; ask for per=hour`,
    );
  }
}

/** Compares a range with the one before it. */
function computeTrafficChange(total: TrafficTotal, previous: TrafficTotal) {
  const errorsOf = ({ clientErrors, serverErrors }: TrafficTotal) => clientErrors + serverErrors;
  const change = (now: number | null, before: number | null) =>
    now === null || before === null || before === 0 ? null : (now - before) / before;
  return {
    requests: change(total.requests, previous.requests),
    errors: change(errorsOf(total), errorsOf(previous)),
    errorShare: change(total.errorShare, previous.errorShare),
    credits: change(total.credits, previous.credits),
    p50: change(total.latency.p50, previous.latency.p50),
    p95: change(total.latency.p95, previous.latency.p95),
    p99: change(total.latency.p99, previous.latency.p99),
  };
}

function formatDay(milliseconds: string): string {
  return new Date(Number(milliseconds)).toISOString().slice(0, 10);
}
