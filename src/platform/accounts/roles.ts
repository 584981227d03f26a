import { formatForError } from '../../common/format-for-error.ts';
import { Refused } from '../../common/refusal.ts';

/** What a member of an organisation can be, the most powerful first. */
export const ROLES = ['owner', 'admin', 'member'] as const;
export type MemberRole = (typeof ROLES)[number];

/** Who calls the admin interface: the operator of the instance, or a member of one organisation. */
export type Standing = 'operator' | MemberRole;

/**
 * The rights of the admin interface, and who has them: members in their own organisation only, the operator in all of them.
 * Leaving an organisation and renewing one's own token need no right.
 */
const RIGHTS = {
  /** The plans, and the caller's own account. */
  'account.read': ['operator', 'owner', 'admin', 'member'],
  /** The organisation with its teams, members, keys, rules and usage. */
  'organisation.read': ['operator', 'owner', 'admin', 'member'],
  /** The keys and the firewall rules of a team: members have these rights in their own teams only. */
  'key.write': ['operator', 'owner', 'admin', 'member'],
  'rule.write': ['operator', 'owner', 'admin', 'member'],
  /** Creating and deleting teams, and who belongs to them. */
  'team.write': ['operator', 'owner', 'admin'],
  'plan.write': ['operator', 'owner', 'admin'],
  'audit.read': ['operator', 'owner', 'admin'],
  /** Invitations, and the roles of those who are not owners. */
  'member.write': ['operator', 'owner', 'admin'],
  /** Granting and revoking the role of owner. */
  'owner.write': ['operator', 'owner'],
  'organisation.delete': ['operator', 'owner'],
  /** Creating and listing organisations. */
  'organisation.write': ['operator'],
  /** What concerns the instance and not one organisation: its network, its metrics, its backup, every audit entry. */
  'instance.write': ['operator'],
} as const satisfies Record<string, readonly Standing[]>;

export type AdminAction = keyof typeof RIGHTS;
export const ACTIONS = Object.keys(RIGHTS) as AdminAction[];

export function may(standing: Standing, action: AdminAction): boolean {
  const allowed: readonly Standing[] = RIGHTS[action];
  return allowed.includes(standing);
}

/** @throws Refused when there is no such role */
export function parseRole(name: string): MemberRole {
  const role = ROLES.find((candidate) => candidate === name);
  if (role !== undefined) return role;
  throw new Refused('invalid-value', `role must be one of ${ROLES.join(', ')}, got ${formatForError(name)}`);
}

/** @throws Refused when the caller lacks the right */
export function requireRight(standing: Standing, action: AdminAction, what: string): void {
  if (!may(standing, action)) throw new Refused('not-permitted', `${standing} may not ${what}`);
}
