import { randomUUID } from 'node:crypto';
import { eq, gt } from 'drizzle-orm';
import { organisations } from '../tables/account-tables.ts';
import type { Database } from '../../store/index.ts';
import { formatForError } from '../../common/format-for-error.ts';
import { type Actor, change, type ChangeDependencies } from '../audit/audit.ts';
import { readOrganisationContents } from './contents.ts';
import { Refused, toResult, type Result } from '../../common/refusal.ts';
import { checkSlug } from './names.ts';
import { getPageLimit, type Page, type PageQuery, createPage, parseCursor } from '../requests/paging.ts';
import { type PlanName, parsePlanName } from '../plans/plans.ts';

export interface Organisation {
  readonly id: string;
  readonly slug: string;
  readonly plan: PlanName;
  readonly createdAt: number;
}

/** Returns the new organisation; a refusal when the slug or the plan is invalid, or the slug is taken. */
export function createOrganisation(
  platform: ChangeDependencies,
  actor: Actor,
  { slug, plan }: { slug: string; plan: string },
): Promise<Result<Organisation>> {
  return toResult(async () => {
    checkSlug('organisation', slug);
    const organisation = { id: randomUUID(), slug, plan: parsePlanName(plan), createdAt: platform.now() };
    return change(platform, actor, async (db) => {
      if ((await findOrganisationRow(db, slug)) !== undefined) {
        throw new Refused('already-exists', `there is an organisation ${slug} already`);
      }
      await db.insert(organisations).values(organisation);
      return {
        result: organisation,
        action: 'organisation.created',
        subject: slug,
        before: null,
        after: { plan },
      };
    });
  });
}

/** Returns a page of organisations, by slug; a refusal when the cursor is invalid. */
export function listOrganisations(
  { store }: Pick<ChangeDependencies, 'store'>,
  query: PageQuery = {},
): Promise<Result<Page<Organisation>>> {
  return toResult(async () => {
    const after = parseCursor<[string]>(query, ['']);
    const rows = await store.db
      .select()
      .from(organisations)
      .where(after === null ? undefined : gt(organisations.slug, after[0]))
      .orderBy(organisations.slug)
      .limit(getPageLimit(query) + 1);
    return createPage(rows.map(toOrganisation), query, ({ slug }) => [slug]);
  });
}

export async function hasOrganisation(
  { store }: Pick<ChangeDependencies, 'store'>,
  slug: string,
): Promise<boolean> {
  return (await findOrganisationRow(store.db, slug)) !== undefined;
}

/** @throws Refused when no organisation has the slug */
export async function findOrganisation(db: Database, slug: string): Promise<Organisation> {
  const row = await findOrganisationRow(db, slug);
  if (row === undefined) throw new Refused('not-found', `there is no organisation ${formatForError(slug)}`);
  return toOrganisation(row);
}

/** Returns the organisation; a refusal when it does not exist. */
export function getOrganisation(db: Database, slug: string): Promise<Result<Organisation>> {
  return toResult(() => findOrganisation(db, slug));
}

/**
 * Changes the plan, from the next request on.
 * Returns a refusal when there is no such organisation or plan.
 */
export function changePlan(
  platform: ChangeDependencies,
  actor: Actor,
  slug: string,
  name: string,
): Promise<Result<Organisation>> {
  return toResult(async () => {
    const plan = parsePlanName(name);
    return change(platform, actor, async (db) => {
      const before = await findOrganisation(db, slug);
      await db.update(organisations).set({ plan }).where(eq(organisations.id, before.id));
      return {
        result: { ...before, plan },
        action: 'plan.changed',
        subject: slug,
        before: { plan: before.plan },
        after: { plan },
      };
    });
  });
}

/**
 * Deletes an organisation with its teams, their keys and rules, and its members.
 * Returns a refusal when there is no such organisation.
 */
export function deleteOrganisation(
  platform: ChangeDependencies,
  actor: Actor,
  slug: string,
): Promise<Result<void>> {
  return toResult(async () => {
    return change(platform, actor, async (db) => {
      const { id, plan } = await findOrganisation(db, slug);
      const before = { plan, ...(await readOrganisationContents(db, id)) };
      await db.delete(organisations).where(eq(organisations.id, id));
      return {
        result: undefined,
        action: 'organisation.deleted',
        subject: slug,
        before,
        after: null,
      };
    });
  });
}

async function findOrganisationRow(db: Database, slug: string) {
  const [row] = await db.select().from(organisations).where(eq(organisations.slug, slug));
  return row;
}

function toOrganisation(row: typeof organisations.$inferSelect): Organisation {
  return { ...row, plan: parsePlanName(row.plan) };
}
