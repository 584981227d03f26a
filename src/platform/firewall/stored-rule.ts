import { eq } from 'drizzle-orm';
import type { Database } from '../../store/index.ts';
import { firewallRules } from '../tables/account-tables.ts';
import { type CompiledRule, compileRule, type RuleSet, createRuleSet } from './evaluate.ts';
import {
  type GivenAction,
  type GivenCondition,
  toGivenAction,
  parseAction,
  parseGroups,
} from './parse-rule.ts';
import type { RuleCondition, Rule } from './rule.ts';

type RuleRow = typeof firewallRules.$inferSelect;

export function parseStoredRule({ id, name, enabled, groups, action, createdAt }: RuleRow): Rule {
  return {
    id,
    name,
    enabled: enabled === 1,
    groups: parseGroups(JSON.parse(groups) as GivenCondition[][]),
    action: parseAction(JSON.parse(action) as GivenAction),
    createdAt,
  };
}

/** Returns the columns of a rule, without the id of its team. */
export function toRuleTexts({ enabled, groups, action, ...rest }: Rule): Omit<RuleRow, 'teamId'> {
  return {
    ...rest,
    enabled: enabled ? 1 : 0,
    groups: JSON.stringify(groups.map((group) => group.map(toGivenCondition))),
    action: JSON.stringify(toGivenAction(action)),
  };
}

/** Returns the condition as clients send it. */
export function toGivenCondition({ type, name, values }: RuleCondition): GivenCondition {
  return name === null ? { type, values } : { type, name, values };
}

/** A compiled rule and the row that it was compiled from, so that it is compiled again only after a change. */
interface CachedRule {
  readonly source: string;
  readonly rule: CompiledRule;
}

/** All enabled rules, and the rule set of each team that has some. */
export interface RuleSets {
  readonly byRule: ReadonlyMap<string, CachedRule>;
  readonly byTeam: ReadonlyMap<string, RuleSet | null>;
}

export const NO_RULES: RuleSets = { byRule: new Map(), byTeam: new Map() };

/**
 * Loads the rules of all teams, and compiles those that changed.
 * @param known - The result of the previous load.
 */
export async function loadRuleSets(db: Database, known: RuleSets): Promise<RuleSets> {
  const byRule = new Map<string, CachedRule>();
  const ofTeam = new Map<string, CompiledRule[]>();
  for (const row of await db.select().from(firewallRules).where(eq(firewallRules.enabled, 1))) {
    const source = JSON.stringify(row);
    const before = known.byRule.get(row.id);
    const compiled = before?.source === source ? before : { source, rule: compileRule(parseStoredRule(row)) };
    byRule.set(row.id, compiled);
    const others = ofTeam.get(row.teamId);
    if (others === undefined) ofTeam.set(row.teamId, [compiled.rule]);
    else others.push(compiled.rule);
  }
  return { byRule, byTeam: new Map([...ofTeam].map(([teamId, rules]) => [teamId, createRuleSet(rules)])) };
}
