import { formatForError } from '../../common/format-for-error.ts';
import { Refused } from '../refusal.ts';

/** What a member of an organisation can be, the most powerful first. */
export const ROLES = ['owner', 'admin', 'member'] as const;
export type Role = (typeof ROLES)[number];

/** Who asks for something: whoever runs the instance, or a member of one organisation. */
export type Standing = 'operator' | Role;

/**
 * Everything that the admin interface does, and who may do it. A member may do it in the own organisation only; the
 * operator in all of them. Leaving, and renewing the own token, needs no right.
 */
const RIGHTS = {
  /** The plans, and who one is oneself. */
  'account.read': ['operator', 'owner', 'admin', 'member'],
  /** The organisation with its teams, members, keys, rules and use. */
  'organisation.read': ['operator', 'owner', 'admin', 'member'],
  'key.write': ['operator', 'owner', 'admin', 'member'],
  'team.write': ['operator', 'owner', 'admin'],
  'rule.write': ['operator', 'owner', 'admin'],
  'audit.read': ['operator', 'owner', 'admin'],
  /** Invitations, and the roles of those who are not owners. */
  'member.write': ['operator', 'owner', 'admin'],
  /** Making somebody an owner, and taking it away. */
  'owner.write': ['operator', 'owner'],
  'organisation.delete': ['operator', 'owner'],
  /** Organisations as such, and what they pay for. */
  'organisation.write': ['operator'],
  /** What concerns the instance and not one organisation: its network, its metrics, its backup, every audit entry. */
  'instance.write': ['operator'],
} as const satisfies Record<string, readonly Standing[]>;

export type Action = keyof typeof RIGHTS;
export const ACTIONS = Object.keys(RIGHTS) as Action[];

export function may(standing: Standing, action: Action): boolean {
  const allowed: readonly Standing[] = RIGHTS[action];
  return allowed.includes(standing);
}

/** @throws Refused when there is no such role */
export function roleOf(name: string): Role {
  const role = ROLES.find((candidate) => candidate === name);
  if (role !== undefined) return role;
  throw new Refused('invalid-value', `role must be one of ${ROLES.join(', ')}, got ${formatForError(name)}`);
}

/** @throws Refused when somebody of that standing may not */
export function requireRight(standing: Standing, action: Action, what: string): void {
  if (!may(standing, action)) throw new Refused('not-permitted', `${standing} may not ${what}`);
}
