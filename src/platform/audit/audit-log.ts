import { type AnyColumn, and, desc, eq, gte, lt, or, type SQL, sql } from 'drizzle-orm';
import { formatForError } from '../../common/format-for-error.ts';
import { auditLog } from '../tables/audit-table.ts';
import { Refused, toResult, type Result } from '../../common/refusal.ts';
import { getPageLimit, type Page, type PageQuery, createPage, parseCursor } from '../requests/paging.ts';
import type { ChangeDependencies } from './audit.ts';

export interface AuditEntry {
  readonly at: number;
  readonly actor: string;
  readonly origin: string;
  readonly action: string;
  readonly subject: string;
  readonly before: object | null;
  readonly after: object | null;
}

/** Selects entries of the audit log. Absent fields select everything. Times are Unix milliseconds. */
export interface AuditQuery extends PageQuery {
  readonly actor?: string;
  /** An action such as `api_key.created`, or `api_key` for all actions on keys. */
  readonly action?: string;
  /** What was changed, or what contains it: `acme`, `acme/web`, `acme/web/ci`. */
  readonly subject?: string;
  /** At that time or later. */
  readonly since?: number;
  /** Before that time. */
  readonly until?: number;
}

/** Returns a page of the audit log, newest first; a refusal when the cursor is invalid. */
export function listAudit(
  platform: Pick<ChangeDependencies, 'store'>,
  query: AuditQuery = {},
): Promise<Result<Page<AuditEntry>>> {
  return toResult(async () => {
    return listEntries(platform, query);
  });
}

/** Returns the newest entries of one subject and one action, newest first. The index by subjects finds them. */
export async function listSubjectAudit(
  { store }: Pick<ChangeDependencies, 'store'>,
  { subject, action, since }: Required<Pick<AuditQuery, 'subject' | 'action' | 'since'>>,
  most: number,
): Promise<readonly AuditEntry[]> {
  const { at, place, id } = auditLog;
  const rows = await store.db
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.subject, subject), eq(auditLog.action, action), gte(at, since)))
    .orderBy(desc(at), desc(place), desc(id))
    .limit(most);
  return rows.map(toAuditEntry);
}

/**
 * What changes within an organisation begins with. Makers, wallets and other things can have the same name as an
 * organisation, whose members must not see the entries about them.
 */
const KINDS_OF_ORGANISATIONS = [
  'organisation',
  'plan',
  'team',
  'api_key',
  'firewall_rule',
  'member',
  'invitation',
  'session',
];

async function listEntries(
  { store }: Pick<ChangeDependencies, 'store'>,
  query: AuditQuery,
  among?: SQL,
): Promise<Page<AuditEntry>> {
  const { at, place, id } = auditLog;
  const after = parseCursor<[number, number, string]>(query, [0, 0, '']);
  const rows = await store.db
    .select()
    .from(auditLog)
    .where(
      and(
        among,
        ...toAuditFilters(query),
        after === null ? undefined : sql`(${at}, ${place}, ${id}) < (${after[0]}, ${after[1]}, ${after[2]})`,
      ),
    )
    .orderBy(desc(at), desc(place), desc(id))
    .limit(getPageLimit(query) + 1);
  const { items, next } = createPage(rows, query, (row) => [row.at, row.place, row.id]);
  return { items: items.map(toAuditEntry), next };
}

/**
 * Lists the changes within an organisation, without those of a deleted organisation that had the same slug.
 * Returns a refusal when there is no such organisation, or `subject` is not within it.
 */
export function listOrganisationAudit(
  platform: Pick<ChangeDependencies, 'store'>,
  organisation: { readonly slug: string; readonly createdAt: number },
  query: AuditQuery,
): Promise<Result<Page<AuditEntry>>> {
  return toResult(async () => {
    const { slug, createdAt } = organisation;
    const { subject = slug, since = 0 } = query;
    if (subject !== slug && !subject.startsWith(`${slug}/`)) {
      throw new Refused('invalid-value', `subject must be ${slug} or in it, got ${formatForError(subject)}`);
    }
    return listEntries(
      platform,
      { ...query, subject, since: Math.max(since, createdAt) },
      isOfOrganisations(),
    );
  });
}

function isOfOrganisations(): SQL | undefined {
  return or(...KINDS_OF_ORGANISATIONS.map((kind) => within(auditLog.action, kind, '.')));
}

function toAuditFilters({ actor, action, subject, since, until }: AuditQuery): (SQL | undefined)[] {
  return [
    actor === undefined ? undefined : eq(auditLog.actor, actor),
    action === undefined ? undefined : within(auditLog.action, action, '.'),
    subject === undefined ? undefined : within(auditLog.subject, subject, '/'),
    since === undefined ? undefined : gte(auditLog.at, since),
    until === undefined ? undefined : lt(auditLog.at, until),
  ];
}

/** Matches the value itself or anything below it. `like` is not used, because the value could contain its wildcards. */
function within(column: AnyColumn, value: string, separator: string): SQL | undefined {
  const beginning = value + separator;
  return or(
    eq(column, value),
    eq(sql`substr(${column}, 1, ${sql.raw(String([...beginning].length))})`, beginning),
  );
}

function toAuditEntry(row: typeof auditLog.$inferSelect): AuditEntry {
  const { at, actor, origin, action, subject, before, after } = row;
  return {
    at,
    actor,
    origin,
    action,
    subject,
    before: parseAuditObject(before),
    after: parseAuditObject(after),
  };
}

function parseAuditObject(text: string | null): object | null {
  return text === null ? null : (JSON.parse(text) as object);
}
