import { eq, isNull, type SQL } from 'drizzle-orm';
import type { Member } from '../accounts/members.ts';
import type { LetIn } from '../audit/audit.ts';
import type { Database } from '../../store/index.ts';
import { adminSessions, members, organisations } from '../tables/account-tables.ts';

/** The operator, by the credential that everybody who operates the instance may share. */
export interface OperatorHolder {
  readonly kind: 'operator';
  /** How the person wants to be named in the audit log; null: as `operator` alone. */
  readonly name: string | null;
  /** The hash of the operator's credential. */
  readonly credentialHash: string;
}

/** A member, by the member's token. */
export interface MemberHolder {
  readonly kind: 'member';
  readonly member: Member;
  /** The slug of the member's organisation. */
  readonly organisation: string;
  readonly tokenHash: string;
}

/** Whose session it is. */
export type SessionHolder = OperatorHolder | MemberHolder;

/** The subject of entries about sessions of the operator. It has spaces, so no organisation has the same slug. */
const OPERATOR_SUBJECT = 'the operator';

/** Returns how the holder is named as an actor in the audit log. */
export function toActorName(holder: SessionHolder): string {
  if (holder.kind === 'member') return `${holder.organisation}/${holder.member.name}`;
  return holder.name === null ? 'operator' : `operator (${holder.name})`;
}

/** Returns the subject of audit entries about the holder's sessions. */
export function toSessionSubject(holder: SessionHolder): string {
  return holder.kind === 'member' ? toActorName(holder) : OPERATOR_SUBJECT;
}

/** Returns the subject of audit entries about the sessions of a member by the member's id; null: of the operator. */
export async function findSessionSubject(db: Database, memberId: string | null): Promise<string> {
  if (memberId === null) return OPERATOR_SUBJECT;
  const [found] = await db
    .select({ name: members.name, slug: organisations.slug })
    .from(members)
    .innerJoin(organisations, eq(organisations.id, members.organisationId))
    .where(eq(members.id, memberId));
  return found === undefined ? memberId : `${found.slug}/${found.name}`;
}

/** Returns what the changes of a member check again in their transaction; null: the operator. */
export function toLetIn(holder: SessionHolder): LetIn | null {
  if (holder.kind === 'operator') return null;
  const { member, tokenHash } = holder;
  return { memberId: member.id, role: member.role, tokenHash };
}

/** Selects the sessions of a member; null: all sessions of the operator, whatever their names are. */
export function isOfMember(memberId: string | null): SQL {
  return memberId === null ? isNull(adminSessions.memberId) : eq(adminSessions.memberId, memberId);
}
