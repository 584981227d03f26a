import { describe, expect, it } from 'vitest';
import type { MemberLine } from '../../../api/organisations/organisation-shapes.ts';
import type { Session } from '../../../api/session.ts';
import { findMemberObstacles, listGrantableRoles } from './member-rules.ts';

const ANN = memberOf('ann', 'owner');
const BOB = memberOf('bob', 'admin');
const CLEO = memberOf('cleo', 'member');
const OPERATOR = viewerWith(['member.write', 'owner.write']);
const ADMIN = viewerWith(['member.write']);
const MEMBER = viewerWith([]);
const LAST = 'The last owner stays. Make somebody else an owner first.';

describe('findMemberObstacles', () => {
  it('keeps the last owner, whoever asks', () => {
    for (const viewer of [OPERATOR, viewerWith(['member.write', 'owner.write'])])
      expect(findMemberObstacles(ANN, [ANN, BOB], viewer, 'ann')).toEqual({ role: LAST, removal: LAST });
    const two = [ANN, memberOf('dan', 'owner')];
    expect(findMemberObstacles(ANN, two, OPERATOR, null)).toEqual({ role: null, removal: null });
  });

  it('lets admins change everybody but owners', () => {
    const all = [ANN, memberOf('dan', 'owner'), BOB, CLEO];
    expect(findMemberObstacles(ANN, all, ADMIN, 'bob').role).toContain('Only owners');
    expect(findMemberObstacles(CLEO, all, ADMIN, 'bob')).toEqual({ role: null, removal: null });
  });

  it('lets everybody leave', () => {
    const found = findMemberObstacles(CLEO, [ANN, CLEO], MEMBER, 'cleo');
    expect(found).toEqual({ role: 'Only owners and admins change members.', removal: null });
    expect(findMemberObstacles(BOB, [ANN, BOB], MEMBER, 'cleo').removal).not.toBeNull();
  });
});

describe('listGrantableRoles', () => {
  it('leaves owners to owners', () => {
    expect(listGrantableRoles(OPERATOR)).toEqual(['owner', 'admin', 'member']);
    expect(listGrantableRoles(ADMIN)).toEqual(['admin', 'member']);
    expect(listGrantableRoles(MEMBER)).toEqual([]);
    expect(listGrantableRoles(null)).toEqual([]);
  });
});

function memberOf(name: string, role: string): MemberLine {
  return { name, role, createdAt: 0, tokenExpiresAt: null, tokenLastUsedAt: null, teams: [] };
}

function viewerWith(rights: readonly string[]): Session {
  return { who: 'acme/x', standing: 'admin', rights, organisation: 'acme', teams: [], expiresAt: null };
}
