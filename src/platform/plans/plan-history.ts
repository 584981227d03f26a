import { and, desc, eq, gte, inArray, lt } from 'drizzle-orm';
import type { Database } from '../../store/index.ts';
import { auditLog } from '../../store/schema.ts';
import { type PlanName, planOf } from './plans.ts';

const CHANGES = ['organisation.create', 'organisation.plan'];

/**
 * The plan that was in force just before a time, as the audit log tells it; the present one where that tells nothing.
 * @param before Unix milliseconds
 */
export async function planBefore(
  db: Database,
  { slug, plan, createdAt }: { readonly slug: string; readonly plan: PlanName; readonly createdAt: number },
  before: number,
): Promise<PlanName> {
  const { subject, action, at, id, after } = auditLog;
  const [row] = await db
    .select({ after })
    .from(auditLog)
    .where(and(eq(subject, slug), inArray(action, CHANGES), gte(at, createdAt), lt(at, before)))
    .orderBy(desc(at), desc(id))
    .limit(1);
  const made: { readonly plan?: unknown } = JSON.parse(row?.after ?? '{}');
  return typeof made.plan === 'string' ? planOf(made.plan) : plan;
}
