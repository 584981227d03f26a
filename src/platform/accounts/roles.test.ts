import { describe, expect, it } from 'vitest';
import { ACTIONS, type AdminAction, may, ROLES, requireRight, parseRole, type Standing } from './roles.ts';

describe('requireRight', () => {
  it.each(ACTIONS.flatMap((action) => STANDINGS.map((standing) => [standing, action] as const)))(
    '%s: %s',
    (standing, action) => {
      expect(may(standing, action)).toBe(PROMISED[action].includes(LETTERS[standing]));
    },
  );

  it('never grants a lesser role more than a greater one', () => {
    for (const action of ACTIONS) {
      const rights = ROLES.map((role) => may(role, action));
      expect(rights, action).toEqual([...rights].sort((one, other) => Number(other) - Number(one)));
    }
  });

  it('refuses with a sentence', () => {
    expect(() => requireRight('admin', 'owner.write', 'make owners')).toThrow('admin may not make owners');
    expect(() => parseRole('Owner')).toThrow('role must be one of owner, admin, member, got "Owner"');
    expect(() => parseRole('operator')).toThrow('role must be one of');
  });
});

/** What is promised in docs/platform.md, cell by cell: o operator, O owner, A admin, M member. */
const PROMISED: Readonly<Record<AdminAction, string>> = {
  'account.read': 'oOAM',
  'organisation.read': 'oOAM',
  'key.write': 'oOAM',
  'team.write': 'oOA',
  'rule.write': 'oOAM',
  'plan.write': 'oOA',
  'audit.read': 'oOA',
  'member.write': 'oOA',
  'owner.write': 'oO',
  'organisation.delete': 'oO',
  'organisation.write': 'o',
  'instance.write': 'o',
};
const LETTERS: Readonly<Record<Standing, string>> = { operator: 'o', owner: 'O', admin: 'A', member: 'M' };
const STANDINGS = Object.keys(LETTERS) as Standing[];
