import type { Database } from '../../store/index.ts';
import { firewallRules } from '../../store/schema.ts';
import { compileRules, type RuleSet } from './evaluate.ts';
import { type GivenAction, type GivenCondition, parseAction, parseGroups } from './parse-rule.ts';
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

/** The columns of a rule but its team's. */
export function textsOf({ enabled, groups, action, ...rest }: Rule): Omit<Row, 'teamId'> {
  return {
    ...rest,
    enabled: enabled ? 1 : 0,
    groups: JSON.stringify(groups.map((group) => group.map(givenCondition))),
    action: JSON.stringify(action),
  };
}

/** A condition as it is sent. */
export function givenCondition({ type, name, values }: Condition): GivenCondition {
  return name === null ? { type, values } : { type, name, values };
}

/** What the rules of a team were compiled from, so that they are compiled again only when they changed. */
interface Compiled {
  readonly source: string;
  readonly rules: RuleSet | null;
}

/** The compiled rules of every team that has some, by team id. */
export type RuleSets = ReadonlyMap<string, Compiled>;

/** @param known what was loaded before */
export async function loadRuleSets(db: Database, known: RuleSets): Promise<RuleSets> {
  const byTeam = new Map<string, Row[]>();
  for (const row of await db.select().from(firewallRules).orderBy(firewallRules.createdAt)) {
    const others = byTeam.get(row.teamId);
    if (others === undefined) byTeam.set(row.teamId, [row]);
    else others.push(row);
  }
  const sets = new Map<string, Compiled>();
  for (const [teamId, rows] of byTeam) {
    const source = JSON.stringify(rows);
    const before = known.get(teamId);
    const same = before?.source === source ? before : { source, rules: compileRules(rows.map(ruleOf)) };
    sets.set(teamId, same);
  }
  return sets;
}
