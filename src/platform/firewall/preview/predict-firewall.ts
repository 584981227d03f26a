import { inArray } from 'drizzle-orm';
import { Refused, toResult, type Result } from '../../../common/refusal.ts';
import { formatForError } from '../../../common/format-for-error.ts';
import { findTeam, type TeamPath } from '../../accounts/teams.ts';
import type { ChangeDependencies } from '../../audit/audit.ts';
import { MAX_PAGE } from '../../requests/paging.ts';
import type { Database } from '../../../store/index.ts';
import { apiKeys } from '../../tables/account-tables.ts';
import { queryLog } from '../../traffic/log/log-query.ts';
import type { RequestEntry } from '../../traffic/log/request-entry.ts';
import type { TrafficLog } from '../../traffic/log/traffic-log.ts';
import { checkNewGroups, checkTogether, parseAction, parseGroups } from '../parse-rule.ts';
import type { Rule } from '../rule.ts';
import { checkKeyNames, loadRules, type RuleTerms } from '../rules.ts';
import { predictRequests, type PredictedRequest, type PredictionOptions } from './predict-requests.ts';

/** The most requests that a preview looks at. */
export const MAX_PREVIEWED = 5_000;

/** Which rules are previewed, and with which requests. */
export interface PreviewQuestion {
  /** A rule that would be added; null: none. */
  readonly draft: (Pick<RuleTerms, 'action'> & Partial<Pick<RuleTerms, 'groups'>>) | null;
  /** The name of a rule that would be gone, or that the draft would take the place of; null: none. */
  readonly replaces: string | null;
  /** Unix milliseconds; earlier requests are not looked at. */
  readonly since: number;
  /** How many requests are looked at: the newest. */
  readonly limit: number;
}

export interface PreviewDependencies extends Pick<PredictionOptions, 'createWindow' | 'pause'> {
  readonly platform: Pick<ChangeDependencies, 'store' | 'now'>;
  readonly log: TrafficLog;
}

/** What the firewall of a team would have done with requests of the log. */
export interface FirewallPreview {
  /** The rules that were tried, the oldest first. */
  readonly rules: readonly Rule[];
  /** The id of the draft among the rules; null without one. */
  readonly draftId: string | null;
  /** In the order in which they arrived. */
  readonly requests: readonly PredictedRequest[];
  /** How many requests never came to the firewall, because their key may not use the product. */
  readonly refusedBefore: number;
  /** Whether there are older requests since the time that was asked, which were not looked at. */
  readonly isCut: boolean;
  /** Unix milliseconds until which rate limits may have counted requests that were not read; null: they have none. */
  readonly openUntil: number | null;
}

const DRAFT_ID = 'draft';

/**
 * Predicts what the firewall of a team would have done with its newest requests, if a draft of a rule were in force.
 * Returns a refusal when there is no such team or rule, or the draft is invalid.
 *
 * @example
 * ```ts
 * import { predictFirewall, type PreviewDependencies } from './predict-firewall.ts';
 *
 * // How many of the newest requests of a team a rule would have stopped for certain.
 * async function countStopped(dependencies: PreviewDependencies, since: number): Promise<number> {
 *   const preview = await predictFirewall(dependencies, { organisation: 'acme', team: 'web' }, {
 *     draft: { groups: [[{ type: 'path', values: ['/swap'] }]], action: { type: 'deny' } },
 *     replaces: null,
 *     since,
 *     limit: 1_000,
 *   });
 *   if (!preview.ok) throw new Error(preview.error.message);
 *   return preview.value.requests.filter(({ effects }) => effects.size === 1 && !effects.has('pass')).length;
 * }
 * ```
 */
export function predictFirewall(
  { platform, log, createWindow, pause }: PreviewDependencies,
  path: TeamPath,
  { draft, replaces, since, limit }: PreviewQuestion,
): Promise<Result<FirewallPreview>> {
  return toResult(async () => {
    const { db } = platform.store;
    const { id: teamId, organisationId } = await findTeam(db, path);
    const stored = await loadRules(db, teamId);
    const replaced = stored.find(({ name }) => name === replaces);
    if (replaces !== null && replaced === undefined) {
      throw new Refused(
        'not-found',
        `${path.organisation}/${path.team} has no rule ${formatForError(replaces)}`,
      );
    }
    const others = stored.filter((rule) => rule.enabled && rule !== replaced);
    const rules = [...others];
    if (draft !== null) {
      const parsed = parseDraft(draft);
      await checkKeyNames(db, teamId, path, parsed.groups);
      const newest = Math.max(0, ...stored.map(({ createdAt }) => createdAt + 1));
      rules.push({
        ...parsed,
        id: DRAFT_ID,
        name: replaced?.name ?? '',
        enabled: true,
        createdAt: replaced?.createdAt ?? newest,
      });
    }
    // Requests before the range are still in the windows of its first ones.
    const windowMs = Math.max(0, ...rules.map(getWindowLength));
    const from = since - windowMs;
    const range = {
      organisationId,
      teamId,
      from,
      until: platform.now() + 1,
      limit: Math.min(limit, MAX_PREVIEWED),
    };
    const { entries, isCut } = await readEntries(log, range, pause);
    const judged = entries.filter(({ decision }) => decision !== 'no-access');
    const names = await readKeyNames(db, judged);
    const findKeyName = (keyId: string) => names.get(keyId) ?? null;
    const asked = [
      ...rules.filter(({ id }) => id === DRAFT_ID),
      ...(replaced === undefined ? [] : [replaced]),
    ];
    const concerning = asked.length === 0 ? null : asked;
    const predicted = await predictRequests({
      rules,
      concerning,
      entries: judged,
      findKeyName,
      createWindow,
      pause,
    });
    const requests = predicted.filter(({ entry }) => entry.at >= since);
    const oldest = predicted.reduce((least, { entry }) => Math.min(least, entry.at), range.until);
    const isShort = isCut || predicted.length < judged.length;
    return {
      rules: rules.sort((one, other) => one.createdAt - other.createdAt),
      draftId: draft === null ? null : DRAFT_ID,
      requests,
      refusedBefore: entries.filter(({ decision, at }) => decision === 'no-access' && at >= since).length,
      isCut: isShort && oldest >= since,
      openUntil: isShort && windowMs > 0 && oldest + windowMs > since ? oldest + windowMs : null,
    };
  });
}

/** @throws Refused with what is wrong, as when the rule is saved */
function parseDraft({
  groups = [],
  action,
}: NonNullable<PreviewQuestion['draft']>): Pick<Rule, 'groups' | 'action'> {
  const parsed = { groups: parseGroups(groups), action: parseAction(action) };
  checkNewGroups(parsed.groups);
  checkTogether(parsed.groups, parsed.action);
  return parsed;
}

/** Returns how many milliseconds a rule looks back. */
function getWindowLength({ action }: Rule): number {
  return action.type === 'rate-limit' ? action.windowSeconds * 1_000 : 0;
}

/** Reads the newest requests of a team, the newest first, page by page. */
async function readEntries(
  log: TrafficLog,
  range: {
    readonly organisationId: string;
    readonly teamId: string;
    readonly from: number;
    readonly until: number;
    readonly limit: number;
  },
  pause: PredictionOptions['pause'],
): Promise<{ readonly entries: readonly RequestEntry[]; readonly isCut: boolean }> {
  const { organisationId, teamId, from, until, limit } = range;
  const question = { filter: { organisationId, teamId }, since: from, until };
  const entries: RequestEntry[] = [];
  let cursor: string | null = null;
  do {
    const page = await queryLog(log, question, {
      limit: Math.min(MAX_PAGE, limit - entries.length),
      ...(cursor === null ? {} : { cursor }),
    });
    if (!page.ok) throw new Refused(page.error.code, page.error.message);
    entries.push(...page.value.items);
    cursor = page.value.next;
  } while (cursor !== null && entries.length < limit && (await pause()));
  return { entries, isCut: cursor !== null };
}

/** Reads the names that keys have now, by their ids. Deleted ones are missing. */
async function readKeyNames(
  db: Database,
  entries: readonly RequestEntry[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(entries.map(({ owner }) => owner?.keyId ?? ''))].filter((id) => id !== '');
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: apiKeys.id, name: apiKeys.name })
    .from(apiKeys)
    .where(inArray(apiKeys.id, ids));
  return new Map(rows.map(({ id, name }) => [id, name]));
}
