import type { PageSearch } from '../../../parts/page-search.ts';
import { readTrafficRange, type TrafficRange } from '../../../parts/traffic/traffic-range.ts';

/** The filters of the log, by their names in the address, which are those of the endpoint. */
export const LOG_FILTERS = [
  { name: 'organisation', label: 'Organisation', hint: 'acme' },
  { name: 'team', label: 'Team', hint: '' },
  { name: 'key', label: 'Key', hint: '' },
  { name: 'status', label: 'Status', hint: '404 or 5xx' },
  { name: 'decision', label: 'Decision', hint: '' },
  { name: 'method', label: 'Method', hint: 'GET' },
  { name: 'path', label: 'Path begins with', hint: '/swap/v2' },
  { name: 'group', label: 'API', hint: 'swap' },
  { name: 'endpoint', label: 'Endpoint', hint: '/swap/v2/order' },
  { name: 'client', label: 'Client', hint: '203.0.113.7' },
  { name: 'country', label: 'Country', hint: 'CH or unknown' },
  { name: 'outcome', label: 'Firewall did', hint: '' },
  { name: 'rule', label: 'Rule that decided', hint: '' },
  { name: 'matched', label: 'Rule that matched', hint: '' },
  { name: 'order', label: 'Order id', hint: '' },
  { name: 'requestId', label: 'Request id', hint: '' },
] as const;
export type LogFilterName = (typeof LOG_FILTERS)[number]['name'];
export type LogFilters = Readonly<Partial<Record<LogFilterName, string>>>;

/** What the gateway decided, as the endpoint names it, and in words. */
export const DECISION_TEXTS = [
  ['admitted', 'admitted'],
  ['unauthorised', 'no valid key (401)'],
  ['no-access', 'key without access (403)'],
  ['firewall-deny', 'denied by the firewall'],
  ['firewall-limit', 'limited by the firewall'],
  ['plan-limit', 'over the limit of the plan'],
  ['unavailable', 'unavailable (503)'],
] as const;
export const OUTCOME_NAMES = ['bypass', 'deny', 'limit', 'allow', 'log'] as const;

/**
 * Reads the filters of an address. A link of another page may name the key with its team: `key=web/app`.
 * @param isInstance - Whether all organisations are listed.
 */
export function readLogFilters(search: PageSearch, isInstance: boolean): LogFilters {
  const given = LOG_FILTERS.flatMap(({ name }) => {
    const value = search[name]?.trim() ?? '';
    return value === '' || (name === 'organisation' && !isInstance) ? [] : [[name, value] as const];
  });
  const filters: Partial<Record<LogFilterName, string>> = Object.fromEntries(given);
  const { key, team } = filters;
  const slash = key?.indexOf('/') ?? -1;
  if (key === undefined || team !== undefined || slash < 1) return filters;
  return { ...filters, team: key.slice(0, slash), key: key.slice(slash + 1) };
}

/** The range of an address. A request that is asked for by its id is found whenever it was. */
export function readLogRange(search: PageSearch, filters: LogFilters): TrafficRange {
  const isOpen = filters.requestId !== undefined && search.since === undefined && search.range === undefined;
  return isOpen ? { kind: 'own', since: 0, until: null } : readTrafficRange(search, '24h');
}

/** Writes filters and what else an endpoint takes as the query of its path. */
export function formatLogQuery(
  filters: LogFilters,
  more: Readonly<Record<string, string | number | undefined>> = {},
): string {
  const pairs = Object.entries({ ...filters, ...more }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return new URLSearchParams(pairs).toString();
}
