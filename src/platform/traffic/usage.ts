import { INCLUDED_CREDITS } from '../plans/credits.ts';
import type { PlanName } from '../plans/plans.ts';
import { DAY_MS, HOUR_MS } from './log/log-tables.ts';
import type { TrafficLog } from './log/traffic-log.ts';

export const USAGE_GROUPS = ['day', 'key', 'endpoint'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

export interface UsageQuestion {
  readonly organisationId: string;
  readonly teamId?: string;
  /** Unix milliseconds, rounded down to the hour; `since` included, `until` excluded. */
  readonly since: number;
  readonly until: number;
}

/** Exact sums of whole numbers. */
export interface UsageRow {
  /** The first millisecond of a day, the id of a key, or an endpoint. */
  readonly of: string;
  readonly requests: number;
  readonly errors: number;
  readonly credits: number;
}

/**
 * Returns the usage of an organisation or a team by day, key or endpoint: the largest use first, days in order of
 * time.
 */
export async function readUsage(
  log: TrafficLog,
  group: UsageGroup,
  { organisationId, teamId, since, until }: UsageQuestion,
): Promise<readonly UsageRow[]> {
  await log.flush();
  const by = { day: 'hour / 24', key: 'key_id', endpoint: 'endpoint' }[group];
  const order = group === 'day' ? '1' : '4 desc, 2 desc, 1';
  const ofTeam = teamId === undefined ? '' : ' and team_id = $4';
  const rows = await log.database.query(
    `select ${by} as part, sum(requests) as r, sum(client_errors + server_errors) as e, sum(credits) as c
     from traffic where organisation_id = $1 and hour >= $2 and hour < $3${ofTeam} group by ${by} order by ${order}`,
    [organisationId, toHour(since), toHour(until + HOUR_MS - 1), ...(teamId === undefined ? [] : [teamId])],
  );
  return rows.map(([part, requests, errors, credits]) => ({
    of: group === 'day' ? String(Number(part) * DAY_MS) : String(part),
    requests: Number(requests),
    errors: Number(errors),
    credits: Number(credits),
  }));
}

/** Credits of an organisation in a calendar month (UTC). */
export interface CreditUse {
  /** The plan that the whole month is billed by. */
  readonly plan: PlanName;
  /** Unix milliseconds at which the month begins and ends. */
  readonly since: number;
  readonly until: number;
  readonly used: number;
  /** Null: unlimited. */
  readonly included: number | null;
  /** Credits used beyond those included. */
  readonly overage: number;
}

/** The begin and end of a calendar month. */
export interface Month {
  readonly since: number;
  readonly until: number;
}

const MAX_MONTHS = 12;

/** @param time - Unix milliseconds. */
export function getMonth(time: number): Month {
  const date = new Date(time);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { since: Date.UTC(year, month), until: Date.UTC(year, month + 1) };
}

/** Returns the calendar months that a range touches, the newest first, at most the newest twelve. */
export function listMonths({ since, until }: Pick<UsageQuestion, 'since' | 'until'>): readonly Month[] {
  const months: Month[] = [];
  for (let month = getMonth(until - 1); months.length < MAX_MONTHS && month.until > since; ) {
    months.push(month);
    month = getMonth(month.since - 1);
  }
  return months;
}

/** Returns the credits that organisations used in a month, by their ids. */
export async function readCreditsByOrganisation(
  log: TrafficLog,
  organisationIds: readonly string[],
  { since, until }: Month,
): Promise<(organisationId: string) => number> {
  if (organisationIds.length === 0) return () => 0;
  await log.flush();
  const places = organisationIds.map((_, index) => `$${index + 3}`).join(', ');
  const rows = await log.database.query(
    `select organisation_id, sum(credits) from traffic
     where hour >= $1 and hour < $2 and organisation_id in (${places}) group by organisation_id`,
    [toHour(since), toHour(until), ...organisationIds],
  );
  const used = new Map(rows.map(([id, credits]) => [String(id), Number(credits)]));
  return (id) => used.get(id) ?? 0;
}

/** @param plan - The plan that the whole month is billed by. */
export async function readMonthCredits(
  log: TrafficLog,
  organisationId: string,
  plan: PlanName,
  { since, until }: Month,
): Promise<CreditUse> {
  await log.flush();
  const [row] = await log.database.query(
    'select sum(credits) from traffic where organisation_id = $1 and hour >= $2 and hour < $3',
    [organisationId, toHour(since), toHour(until)],
  );
  return toCreditUse(plan, { since, until }, Number(row?.[0] ?? 0));
}

/** Compares the credits of a month with what a plan includes. */
export function toCreditUse(plan: PlanName, { since, until }: Month, used: number): CreditUse {
  const included = INCLUDED_CREDITS[plan];
  const overage = included === null ? 0 : Math.max(used - included, 0);
  return { plan, since, until, used, included, overage };
}

function toHour(milliseconds: number): number {
  return Math.floor(milliseconds / HOUR_MS);
}
