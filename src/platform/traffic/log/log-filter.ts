import { formatForError } from '../../../common/format-for-error.ts';
import { Refused, toResult, type Result } from '../../../common/refusal.ts';
import type { RequestDecision, RequestEntry } from './request-entry.ts';

/** Absent fields select everything. */
export interface LogFilter {
  /** Empty: requests without a known key. */
  readonly organisationId?: string;
  readonly teamId?: string;
  readonly keyId?: string;
  readonly requestId?: string;
  /** A status such as `404`, or a class such as `4xx`. */
  readonly status?: string;
  readonly method?: string;
  /** Prefix of the path. */
  readonly path?: string;
  /** The first segment of the path, such as `swap`. */
  readonly group?: string;
  readonly decision?: RequestDecision;
  /** Name of the firewall rule that decided. */
  readonly rule?: string;
  /** Name of a firewall rule that matched, whether it decided or not. */
  readonly matched?: string;
  /** What the firewall did, such as `deny`. */
  readonly outcome?: string;
  /** The IPv4 address, or the /64 network of the IPv6 address. */
  readonly client?: string;
  /** An ISO 3166 code; empty: unknown. */
  readonly country?: string;
  /** The pattern of the route that answered; empty: none. */
  readonly endpoint?: string;
  /** The id of the order that the request gave out or executed. */
  readonly order?: string;
}

/**
 * @param text - A status such as `404`, or a class such as `4xx`.
 * @throws Refused for any other text
 */
export function parseStatusRange(text: string): { readonly from: number; readonly below: number } {
  const [, first, rest] = /^([1-5])(\d\d|xx)$/.exec(text) ?? [];
  if (first === undefined) {
    throw new Refused('invalid-value', `status must be such as 404 or 4xx, got ${formatForError(text)}`);
  }
  if (rest !== 'xx') return { from: Number(text), below: Number(text) + 1 };
  const from = Number(first) * 100;
  return { from, below: from + 100 };
}

/**
 * Returns a function that says whether a filter selects an entry, as a query of the log does; a refusal when the status
 * is invalid.
 */
export function createEntryMatcher(filter: LogFilter): Promise<Result<(entry: RequestEntry) => boolean>> {
  return toResult(async () => {
    const { organisationId, teamId, keyId, requestId, status, method, path, group, decision, rule } = filter;
    const { matched, outcome, client, country, endpoint, order } = filter;
    const range = status === undefined ? null : parseStatusRange(status);
    const isAsked = <T>(asked: T | undefined, value: T | undefined) => asked === undefined || asked === value;
    return (entry) =>
      isAsked(organisationId, entry.owner?.organisationId ?? '') &&
      isAsked(teamId, entry.owner?.teamId) &&
      isAsked(keyId, entry.owner?.keyId) &&
      isAsked(requestId, entry.requestId) &&
      isAsked(method, entry.method) &&
      isAsked(decision, entry.decision) &&
      isAsked(rule, entry.firewall?.rule) &&
      isAsked(outcome, entry.firewall?.outcome) &&
      isAsked(client, entry.client) &&
      isAsked(country, entry.country ?? '') &&
      isAsked(endpoint, entry.endpoint) &&
      isAsked(order, entry.order?.requestId) &&
      (matched === undefined || entry.firewall?.matched.includes(matched) === true) &&
      (range === null || (entry.status >= range.from && entry.status < range.below)) &&
      (path === undefined || entry.path.startsWith(path)) &&
      (group === undefined || `${entry.path}/`.startsWith(`/${group}/`));
  });
}
