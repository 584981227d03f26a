import { and, asc, desc, eq, gte, inArray, lt, type SQL } from 'drizzle-orm';
import type { Database } from '../../store/index.ts';
import { auditLog } from '../tables/audit-table.ts';
import { type PlanName, parsePlanName } from './plans.ts';

const CHANGES = ['organisation.created', 'plan.changed'];

/**
 * Finds the plan in the audit log. Old entries are removed from it, so if it has no entry before that time, the first
 * one after it says which plan that change replaced.
 * @param before - Unix milliseconds.
 * @returns the plan that was in force just before that time; the current plan when the log has no entry
 */
export async function findPlanBefore(
  db: Database,
  { slug, plan, createdAt }: { readonly slug: string; readonly plan: PlanName; readonly createdAt: number },
  before: number,
): Promise<PlanName> {
  const { subject, action, at, place, id } = auditLog;
  const entry = async (side: 'before' | 'after', when: SQL, ...order: SQL[]) => {
    const [row] = await db
      .select({ json: auditLog[side] })
      .from(auditLog)
      .where(and(eq(subject, slug), inArray(action, CHANGES), gte(at, createdAt), when))
      .orderBy(...order)
      .limit(1);
    const { plan: found }: { readonly plan?: unknown } = JSON.parse(row?.json ?? '{}');
    return typeof found === 'string' ? parsePlanName(found) : null;
  };
  return (
    (await entry('after', lt(at, before), desc(at), desc(place), desc(id))) ??
    (await entry('before', gte(at, before), asc(at), asc(place), asc(id))) ??
    plan
  );
}
