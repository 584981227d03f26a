import { difference, firstOf, unless } from '../answer.ts';
import type { Statement } from '../statement.ts';
import type { World } from '../world.ts';

type Role = 'owner' | 'admin' | 'member';

/** An organisation with the teams `team` and `other`, and one member of each role; the `member` belongs to `team`. */
async function newPeople(world: World) {
  const { slug } = await world.newOrganisation();
  const base = `/admin/v1/organisations/${slug}`;
  await world.admin('POST', `${base}/teams`, { slug: 'other' });
  const join = async (name: string, role: Role): Promise<string> => {
    const { token } = (await world.admin('POST', `${base}/invitations`, { name, role })).json;
    return (await world.admin('POST', '/admin/v1/invitations/accept', { token })).json.token;
  };
  const tokens: Record<Role, string> = {
    owner: await join('owner', 'owner'),
    admin: await join('admin', 'admin'),
    member: await join('member', 'member'),
  };
  await world.admin('PUT', `${base}/teams/team/members/member`);
  return { base, tokens, join };
}

/** What the contract lets each role do, in the team that the member belongs to and in another. */
function matrix(
  what: string,
  says: string,
  allowed: Readonly<Record<Role, boolean>>,
  call: (base: string, role: Role) => readonly [method: string, path: string, body?: object],
): readonly Statement[] {
  return (Object.keys(allowed) as Role[]).map((role) => ({
    id: `roles/${what}-${role}`,
    says: `The role ${role} may ${allowed[role] ? '' : 'not '}${says}.`,
    check: async (world) => {
      const { base, tokens } = await newPeople(world);
      const [method, path, body] = call(base, role);
      const { status } = await world.admin(method, path, body, tokens[role]);
      return unless(allowed[role] ? [200, 204].includes(status) : status === 403, status);
    },
  }));
}

const ALL = { owner: true, admin: true, member: true };
const HIGHER = { owner: true, admin: true, member: false };
const RULE = { name: 'rule', action: { type: 'deny' } };
const KEY = { name: 'new' };

export const roleStatements: readonly Statement[] = [
  ...matrix('own-keys', 'create keys of the own team', ALL, (base) => [
    'POST',
    `${base}/teams/team/keys`,
    KEY,
  ]),
  ...matrix('own-key-change', 'change keys of the own team', ALL, (base) => [
    'PATCH',
    `${base}/teams/team/keys/key`,
    { name: 'renamed' },
  ]),
  ...matrix('other-keys', 'create keys of other teams', HIGHER, (base) => [
    'POST',
    `${base}/teams/other/keys`,
    KEY,
  ]),
  ...matrix('own-rules', 'change the firewall of the own team', ALL, (base) => [
    'POST',
    `${base}/teams/team/rules`,
    RULE,
  ]),
  ...matrix('other-rules', 'change the firewall of other teams', HIGHER, (base) => [
    'POST',
    `${base}/teams/other/rules`,
    RULE,
  ]),
  ...matrix('plan', 'change the plan', HIGHER, (base) => ['PATCH', base, { plan: 'launch' }]),
  ...matrix('invite', 'invite members', HIGHER, (base) => [
    'POST',
    `${base}/invitations`,
    { name: 'new', role: 'member' },
  ]),
  ...matrix('remove', 'remove others', HIGHER, (base, role) => [
    'DELETE',
    `${base}/members/${role === 'member' ? 'admin' : 'member'}`,
  ]),
  ...matrix('roles', 'change the roles of others', HIGHER, (base, role) => [
    'PATCH',
    `${base}/members/${role === 'admin' ? 'member' : 'admin'}`,
    { role: role === 'admin' ? 'admin' : 'member' },
  ]),
  ...matrix('teams', 'create teams', HIGHER, (base) => ['POST', `${base}/teams`, { slug: 'new' }]),
  ...matrix('team-members', 'say who belongs to a team', HIGHER, (base) => [
    'PUT',
    `${base}/teams/other/members/member`,
  ]),
  ...matrix('analytics', 'read the analytics of any team', ALL, (base) => [
    'GET',
    `${base}/analytics?team=other`,
  ]),
  ...matrix('log', 'read the request log of any team', ALL, (base) => ['GET', `${base}/log?team=other`]),
  ...matrix('owners', 'make owners', { owner: true, admin: false, member: false }, (base) => [
    'PATCH',
    `${base}/members/admin`,
    { role: 'owner' },
  ]),
  {
    id: 'roles/leave-team',
    says: 'Somebody who left a team no longer changes its keys.',
    check: async (world) => {
      const { base, tokens } = await newPeople(world);
      const left = await world.admin('DELETE', `${base}/teams/team/members/member`, undefined, tokens.member);
      const key = await world.admin('POST', `${base}/teams/team/keys`, KEY, tokens.member);
      return firstOf(difference(left, { status: 204 }), difference(key, { status: 403 }));
    },
  },
  {
    id: 'roles/last-owner-demoted',
    says: 'The last owner cannot be demoted.',
    check: async (world) => {
      const { base } = await newPeople(world);
      return difference(await world.admin('PATCH', `${base}/members/owner`, { role: 'admin' }), {
        status: 409,
      });
    },
  },
  {
    id: 'roles/last-owner-removed',
    says: 'The last owner cannot be removed.',
    check: async (world) => {
      const { base } = await newPeople(world);
      return difference(await world.admin('DELETE', `${base}/members/owner`), { status: 409 });
    },
  },
  {
    id: 'roles/owner-steps-down',
    says: 'There can be several owners, and one of them may step down.',
    check: async (world) => {
      const { base, join } = await newPeople(world);
      const second = await join('second', 'owner');
      const down = await world.admin('PATCH', `${base}/members/second`, { role: 'member' }, second);
      return difference(down, { status: 200, body: { role: 'member' } });
    },
  },
  {
    id: 'roles/invitation-days',
    says: 'An invitation expires after 10 days.',
    check: async (world) => {
      const { base } = await newPeople(world);
      const invitation = await world.admin('POST', `${base}/invitations`, { name: 'new', role: 'member' });
      const days = (invitation.json.expiresAt - invitation.json.createdAt) / 86_400_000;
      return unless(days === 10, days);
    },
  },
  {
    id: 'roles/invitation-cancelled',
    says: 'A cancelled invitation cannot be accepted.',
    check: async (world) => {
      const { base } = await newPeople(world);
      const { token } = (await world.admin('POST', `${base}/invitations`, { name: 'new', role: 'member' }))
        .json;
      await world.admin('DELETE', `${base}/invitations/new`);
      return difference(await world.admin('POST', '/admin/v1/invitations/accept', { token }), {
        status: 404,
      });
    },
  },
  {
    id: 'roles/slug-form',
    says: 'The slug of a team has lowercase letters, digits and hyphens, and at most 48 of them.',
    check: async (world) => {
      const { base } = await newPeople(world);
      const slugs = ['Web', 'w_b', 'a'.repeat(49), 'a-1', 'a'.repeat(48)];
      const statuses: number[] = [];
      for (const slug of slugs) statuses.push((await world.admin('POST', `${base}/teams`, { slug })).status);
      return unless(statuses.join() === '400,400,400,200,200', statuses);
    },
  },
  {
    id: 'roles/slug-unique',
    says: 'The slug of a team is unique in its organisation.',
    check: async (world) => {
      const { base } = await newPeople(world);
      return difference(await world.admin('POST', `${base}/teams`, { slug: 'team' }), { status: 409 });
    },
  },
];
