import { randomUUID } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { apiKeys, firewallRules } from '../tables/account-tables.ts';
import type { Database } from '../../store/index.ts';
import { formatForError } from '../../common/format-for-error.ts';
import { type Actor, change, type ChangeDependencies } from '../audit/audit.ts';
import { Refused, toResult, type Result } from '../../common/refusal.ts';
import { checkRuleName } from '../accounts/names.ts';
import { findOwnTeam } from '../accounts/team-members.ts';
import { findTeam, type TeamPath } from '../accounts/teams.ts';
import {
  checkNewGroups,
  checkTogether,
  type GivenAction,
  type GivenCondition,
  parseAction,
  parseGroups,
} from './parse-rule.ts';
import { describeRule, type ConditionGroup, type Rule } from './rule.ts';
import { parseStoredRule, toRuleTexts } from './stored-rule.ts';

export interface RulePath extends TeamPath {
  readonly rule: string;
}

/** The fields of a rule that can be changed, as clients send them. */
export interface RuleTerms {
  readonly enabled: boolean;
  readonly groups: readonly (readonly GivenCondition[])[];
  readonly action: GivenAction;
}

const MAX_RULES = 50;

/**
 * Creates a rule.
 * @param terms - Without `groups`, the rule always matches; without `enabled`, it is enabled.
 * @returns a refusal when the name is invalid or taken in the team, the team has the maximum number of rules, or the
 *   terms are invalid
 *
 * @example
 * ```ts
 * import type { ChangeDependencies } from '../audit/audit.ts';
 * import { createRule } from './rules.ts';
 *
 * // At most 100 orders a minute from each address.
 * async function limitOrders(platform: ChangeDependencies): Promise<string> {
 *   const actor = { who: 'operator', from: '127.0.0.1' };
 *   const path = { organisation: 'acme', team: 'web', rule: 'orders' };
 *   const created = await createRule(platform, actor, path, {
 *     groups: [[{ type: 'path', values: ['/swap/v2/order'] }]],
 *     action: { type: 'rate-limit', limit: 100, window: '60s', per: 'ip' },
 *   });
 *   return created.ok ? created.value.id : created.error.message;
 * }
 * ```
 */
export function createRule(
  platform: ChangeDependencies,
  actor: Actor,
  path: RulePath,
  terms: Pick<RuleTerms, 'action'> & Partial<RuleTerms>,
): Promise<Result<Rule>> {
  return toResult(async () => {
    checkRuleName(path.rule);
    const { enabled = true, groups = [], action } = terms;
    const parsed = { enabled, groups: parseGroups(groups), action: parseAction(action) };
    checkNewGroups(parsed.groups);
    checkTogether(parsed.groups, parsed.action);
    return change(platform, actor, async (db) => {
      const { id: teamId } = await findOwnTeam(db, actor, path);
      const others = await loadRules(db, teamId);
      if (others.some(({ name }) => name === path.rule)) {
        throw new Refused(
          'already-exists',
          `${teamName(path)} has a rule ${formatForError(path.rule)} already`,
        );
      }
      if (others.length >= MAX_RULES) {
        throw new Refused(
          'limit-reached',
          `${teamName(path)} has ${MAX_RULES} rules, those that are switched off included, and more are not allowed`,
        );
      }
      await checkKeyNames(db, teamId, path, parsed.groups);
      // The age decides between rules, so each rule gets an age of its own.
      const createdAt = Math.max(platform.now(), ...others.map((other) => other.createdAt + 1));
      const rule: Rule = { id: randomUUID(), name: path.rule, ...parsed, createdAt };
      await db.insert(firewallRules).values({ teamId, ...toRuleTexts(rule) });
      return {
        result: rule,
        action: 'firewall_rule.created',
        subject: subjectOf(path),
        before: null,
        after: shownTerms(rule),
      };
    });
  });
}

/** Returns the rules of a team, the oldest first; a refusal when there is no such team. */
export function listRules(
  { store }: Pick<ChangeDependencies, 'store'>,
  team: TeamPath,
): Promise<Result<readonly Rule[]>> {
  return toResult(async () => {
    const { id } = await findTeam(store.db, team);
    return loadRules(store.db, id);
  });
}

/**
 * Changes a rule. Fields that are absent from `terms` keep their values.
 * Returns a refusal when there is no such rule, or the terms are invalid.
 */
export function changeRule(
  platform: ChangeDependencies,
  actor: Actor,
  path: RulePath,
  { enabled, groups, action }: Partial<RuleTerms>,
): Promise<Result<Rule>> {
  return toResult(async () => {
    return change(platform, actor, async (db) => {
      const { id: teamId } = await findOwnTeam(db, actor, path);
      const before = await findRule(db, teamId, path);
      const after: Rule = {
        ...before,
        ...(enabled === undefined ? {} : { enabled }),
        ...(groups === undefined ? {} : { groups: parseGroups(groups) }),
        ...(action === undefined ? {} : { action: parseAction(action) }),
      };
      if (groups !== undefined) checkNewGroups(after.groups);
      checkTogether(after.groups, after.action);
      if (groups !== undefined) await checkKeyNames(db, teamId, path, after.groups);
      await db.update(firewallRules).set(toRuleTexts(after)).where(eq(firewallRules.id, before.id));
      return {
        result: after,
        action: changeName(before, after),
        subject: subjectOf(path),
        before: shownTerms(before),
        after: shownTerms(after),
      };
    });
  });
}

/** Returns a refusal when there is no such rule. */
export function deleteRule(
  platform: ChangeDependencies,
  actor: Actor,
  path: RulePath,
): Promise<Result<void>> {
  return toResult(async () => {
    return change(platform, actor, async (db) => {
      const { id: teamId } = await findOwnTeam(db, actor, path);
      const rule = await findRule(db, teamId, path);
      await db.delete(firewallRules).where(eq(firewallRules.id, rule.id));
      const before = shownTerms(rule);
      return {
        result: undefined,
        action: 'firewall_rule.deleted',
        subject: subjectOf(path),
        before,
        after: null,
      };
    });
  });
}

/** Returns the action for the audit log. Enabling or disabling has an action of its own if nothing else was changed. */
function changeName(before: Rule, after: Rule): string {
  const same = describeRule(before) === describeRule(after);
  if (!same || before.enabled === after.enabled) return 'firewall_rule.updated';
  return after.enabled ? 'firewall_rule.enabled' : 'firewall_rule.disabled';
}

/**
 * Refuses names that no key of the team has: such a condition would never match and is most likely misspelt.
 * @throws Refused when a condition names such a key
 */
export async function checkKeyNames(
  db: Database,
  teamId: string,
  team: TeamPath,
  groups: readonly ConditionGroup[],
): Promise<void> {
  const named = groups.flat().flatMap(({ type, values }) => (type === 'key' ? values : []));
  if (named.length === 0) return;
  const known = await db.select({ name: apiKeys.name }).from(apiKeys).where(eq(apiKeys.teamId, teamId));
  const unknown = named.find((name) => !known.some((key) => key.name === name));
  if (unknown === undefined) return;
  throw new Refused(
    'invalid-value',
    `${teamName(team)} has no key ${formatForError(unknown)}, which a condition names`,
  );
}

async function findRule(db: Database, teamId: string, path: RulePath): Promise<Rule> {
  const [row] = await db
    .select()
    .from(firewallRules)
    .where(and(eq(firewallRules.teamId, teamId), eq(firewallRules.name, path.rule)));
  if (row !== undefined) return parseStoredRule(row);
  throw new Refused('not-found', `${teamName(path)} has no rule ${formatForError(path.rule)}`);
}

export async function loadRules(db: Database, teamId: string): Promise<Rule[]> {
  const rows = await db
    .select()
    .from(firewallRules)
    .where(eq(firewallRules.teamId, teamId))
    .orderBy(firewallRules.createdAt);
  return rows.map(parseStoredRule);
}

function shownTerms(rule: Rule) {
  return { rule: describeRule(rule), enabled: rule.enabled };
}

function teamName({ organisation, team }: TeamPath): string {
  return `${organisation}/${team}`;
}

function subjectOf(path: RulePath): string {
  return `${teamName(path)}/${path.rule}`;
}
