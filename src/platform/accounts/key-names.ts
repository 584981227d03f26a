import { eq } from 'drizzle-orm';
import type { Database } from '../../store/index.ts';
import { firewallRules } from '../tables/account-tables.ts';

/** A condition as the column `groups` of a rule holds it. */
interface StoredCondition {
  readonly type: string;
  readonly values: readonly string[];
}

/**
 * Replaces the name of a key in the conditions of a team's rules, so that a key that is renamed stays under them.
 * Returns the sorted names of the rules that named the key.
 */
export async function renameKeyInRules(
  db: Database,
  teamId: string,
  from: string,
  to: string,
): Promise<readonly string[]> {
  const isNamed = ({ type, values }: StoredCondition) => type === 'key' && values.includes(from);
  const renamed = (condition: StoredCondition): StoredCondition =>
    isNamed(condition)
      ? { ...condition, values: condition.values.map((value) => (value === from ? to : value)) }
      : condition;
  const rows = await db.select().from(firewallRules).where(eq(firewallRules.teamId, teamId));
  const changed: string[] = [];
  for (const { id, name, groups: json } of rows) {
    const groups = JSON.parse(json) as readonly (readonly StoredCondition[])[];
    if (!groups.flat().some(isNamed)) continue;
    const after = JSON.stringify(groups.map((group) => group.map(renamed)));
    await db.update(firewallRules).set({ groups: after }).where(eq(firewallRules.id, id));
    changed.push(name);
  }
  return changed.sort();
}
