import type { MemberLine } from '../../../api/organisations/organisation-shapes.ts';
import { type Session, can } from '../../../api/session.ts';

/** The roles, the most powerful first, with what each may do. */
export const MEMBER_ROLES: readonly (readonly [role: string, may: string])[] = [
  ['owner', 'everything of the organisation, and who is an owner'],
  ['admin', 'teams, keys, firewall, plan and members who are no owners'],
  ['member', 'the keys and the firewall of its own teams; it reads the rest'],
];

/** Why something cannot be done with a member; null: it can be tried. The server decides in any case. */
export interface MemberObstacles {
  readonly role: string | null;
  readonly removal: string | null;
}

/**
 * Says what would be refused, before it is tried.
 * @param ownName - The name of the reader among the members; null: it is none of them.
 */
export function findMemberObstacles(
  member: MemberLine,
  members: readonly MemberLine[],
  viewer: Session | null,
  ownName: string | null,
): MemberObstacles {
  const isOwn = member.name === ownName;
  const right = findMissingRight(member, viewer);
  const last = findLastOwnerReason(member, members);
  return { role: right ?? last, removal: isOwn ? last : (right ?? last) };
}

/** Roles that a reader may give. Only owners and the operator make owners. */
export function listGrantableRoles(viewer: Session | null): readonly string[] {
  const roles = MEMBER_ROLES.map(([role]) => role);
  if (!can(viewer, 'member.write')) return [];
  return can(viewer, 'owner.write') ? roles : roles.filter((role) => role !== 'owner');
}

function findMissingRight({ role }: MemberLine, viewer: Session | null): string | null {
  if (!can(viewer, 'member.write')) return 'Only owners and admins change members.';
  if (role === 'owner' && !can(viewer, 'owner.write')) return 'Only owners change who is an owner.';
  return null;
}

function findLastOwnerReason({ name, role }: MemberLine, members: readonly MemberLine[]): string | null {
  if (role !== 'owner') return null;
  const hasOther = members.some((other) => other.role === 'owner' && other.name !== name);
  return hasOther ? null : 'The last owner stays. Make somebody else an owner first.';
}
