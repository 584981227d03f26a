import { formatForError } from '../../common/format-for-error.ts';
import { Refused, toResult, type Result } from '../../common/refusal.ts';
import type { ChangeDependencies } from '../audit/audit.ts';
import { findTeam, type TeamPath } from '../accounts/teams.ts';
import { compileRules, evaluate } from './evaluate.ts';
import { parseIp } from './ip-address.ts';
import { parseRequestedPath } from './requested-path.ts';
import { describeAction } from './rule.ts';
import { loadRules } from './rules.ts';

/** A request to evaluate without sending it. Fields that are null or absent are unknown. */
export interface TriedRequest {
  /** As a client would send it: it may be percent-encoded and may have a query. */
  readonly path: string;
  readonly method: string;
  readonly key: string;
  readonly ip: string | null;
  readonly country: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

export interface TriedRules {
  /** Names of the matching rules, the oldest first. */
  readonly matched: readonly string[];
  readonly decided: { readonly name: string; readonly action: string } | null;
}

/**
 * Evaluates the rules of a team for a request. Rate limits count nothing.
 * Returns a refusal when there is no such team, `path` does not begin with a slash, or `ip` is not an IP address.
 */
export function tryRules(
  platform: Pick<ChangeDependencies, 'store'>,
  team: TeamPath,
  request: TriedRequest,
): Promise<Result<TriedRules>> {
  return toResult(async () => {
    const ip = request.ip === null ? null : parseIp(request.ip);
    if (request.ip !== null && ip === null) {
      throw new Refused('invalid-value', `ip must be an IP address, got ${formatForError(request.ip)}`);
    }
    const path = parseRequestedPath(request.path);
    if (!path.startsWith('/')) {
      throw new Refused(
        'invalid-value',
        `path must begin with a slash, as in /status, got ${formatForError(request.path)}`,
      );
    }
    const rules = compileRules(
      await loadRules(platform.store.db, (await findTeam(platform.store.db, team)).id),
    );
    if (rules === null) return { matched: [], decided: null };
    const headers = new Map(
      Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), [value]]),
    );
    const { matched, decided } = evaluate(rules, {
      path,
      method: request.method.toUpperCase(),
      key: request.key,
      country: request.country?.toUpperCase() ?? null,
      ip,
      headers,
    });
    return {
      matched: matched.map(({ name }) => name),
      decided: decided === null ? null : { name: decided.name, action: describeAction(decided.action) },
    };
  });
}
