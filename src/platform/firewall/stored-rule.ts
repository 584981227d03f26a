import { eq } from 'drizzle-orm';
import type { Database } from '../../store/index.ts';
import { firewallRules } from '../tables/account-tables.ts';
import { type CompiledRule, compileRule, type RuleSet, ruleSetOf } from './evaluate.ts';
import {
  type GivenAction,
  type GivenCondition,
  givenAction,
  parseAction,
  parseGroups,
} from './parse-rule.ts';
import type { Condition, Rule } from './rule.ts';

type Row = typeof firewallRules.$inferSelect;

export function ruleOf({ id, name, enabled, groups, action, createdAt }: Row): Rule {
  return {
    id,
    name,
    enabled: enabled === 1,
    groups: parseGroups(JSON.parse(groups) as GivenCondition[][]),
    action: parseAction(JSON.parse(action) as GivenAction),
    createdAt,
  };
}

/** @returns the columns of a rule, without the id of its team */
export function textsOf({ enabled, groups, action, ...rest }: Rule): Omit<Row, 'teamId'> {
  return {
    ...rest,
    enabled: enabled ? 1 : 0,
    groups: JSON.stringify(groups.map((group) => group.map(givenCondition))),
    action: JSON.stringify(givenAction(action)),
  };
}

/** @returns the condition as clients send it */
export function givenCondition({ type, name, values }: Condition): GivenCondition {
  return name === null ? { type, values } : { type, name, values };
}

/** A compiled rule and the row that it was compiled from, so that it is compiled again only after a change. */
interface Compiled {
  readonly source: string;
  readonly rule: CompiledRule;
}

/** All enabled rules, and the rule set of each team that has some. */
export interface RuleSets {
  readonly byRule: ReadonlyMap<string, Compiled>;
  readonly byTeam: ReadonlyMap<string, RuleSet | null>;
}

export const NO_RULES: RuleSets = { byRule: new Map(), byTeam: new Map() };

/**
 * Loads the rules of all teams, and compiles those that changed.
 * @param known - The result of the previous load.
 */
export async function loadRuleSets(db: Database, known: RuleSets): Promise<RuleSets> {
  const byRule = new Map<string, Compiled>();
  const ofTeam = new Map<string, CompiledRule[]>();
  for (const row of await db.select().from(firewallRules).where(eq(firewallRules.enabled, 1))) {
    const source = JSON.stringify(row);
    const before = known.byRule.get(row.id);
    const compiled = before?.source === source ? before : { source, rule: compileRule(ruleOf(row)) };
    byRule.set(row.id, compiled);
    const others = ofTeam.get(row.teamId);
    if (others === undefined) ofTeam.set(row.teamId, [compiled.rule]);
    else others.push(compiled.rule);
  }
  return { byRule, byTeam: new Map([...ofTeam].map(([teamId, rules]) => [teamId, ruleSetOf(rules)])) };
}
