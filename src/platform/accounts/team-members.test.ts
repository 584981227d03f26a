import { beforeEach, describe, expect, it } from 'vitest';
import { members, teamMembers, teams } from '../tables/account-tables.ts';
import { STORES } from '../../testing/store/test-store.ts';
import type { Actor } from '../audit/audit.ts';
import { changeRule, createRule, deleteRule } from '../firewall/rules.ts';
import { unwrap } from '../../testing/platform/unwrap.ts';
import { openTestPlatform } from '../../testing/platform/test-platform.ts';
import type { Result } from '../../common/refusal.ts';
import { refusedAs } from '../../testing/platform/refused.ts';
import { acceptInvitation, invite } from './invitations.ts';
import { changeKey, createKey, deleteKey } from './keys.ts';
import { findByToken } from './member-tokens.ts';
import { changeRole, type ChangingParty, removeMember } from './members.ts';
import { getOrganisation } from './organisations.ts';
import type { MemberRole } from './roles.ts';
import { addTeamMember, listMembersWithTeams, listTeamMembers, removeTeamMember } from './team-members.ts';
import { createTeam, deleteTeam } from './teams.ts';
import { openForEach } from '../../testing/opened.ts';

describe.each(STORES)('team members on %s', (kind) => {
  const platform = openForEach(() => openTestPlatform(NOW, kind), 'cleanUp');
  beforeEach(setUp);

  it('change the keys and rules of their own teams only', async () => {
    const { actor } = await join('ann', 'member');
    unwrap(await add('ann'));
    for (const make of changesOf(WEB, actor)) unwrap(await make());
    for (const make of changesOf(APP, actor)) {
      expect(await make()).toEqual(
        refusedAs('not-permitted', 'demo/ann does not belong to the team demo/app'),
      );
    }
  });

  it.each(['owner', 'admin'] as const)('need not include an %s, who may change every team', async (role) => {
    const { actor } = await join('ann', role);
    for (const team of [WEB, APP]) for (const make of changesOf(team, actor)) unwrap(await make());
  });

  it('need not include the operator', async () => {
    for (const make of changesOf(WEB, BY)) unwrap(await make());
  });

  it('lose their rights when they are removed or leave', async () => {
    const { actor, party } = await join('ann', 'member');
    const tryKey = () => createKey(platform, actor, { ...WEB, key: 'ci' }, {});
    unwrap(await add('ann'));
    unwrap(await removeTeamMember(platform, BY, OPERATOR, { ...WEB, member: 'ann' }));
    expect(await tryKey()).toEqual(refusedAs('not-permitted'));
    unwrap(await add('ann'));
    unwrap(await removeTeamMember(platform, actor, party, { ...WEB, member: 'ann' }));
    expect(await tryKey()).toEqual(refusedAs('not-permitted'));
    expect(await removeTeamMember(platform, actor, party, { ...WEB, member: 'ann' })).toEqual(
      refusedAs('not-found', 'demo/web has no member "ann"'),
    );
  });

  it('need their membership again when an admin becomes an ordinary member', async () => {
    await join('ann', 'admin');
    const member = unwrap(
      await changeRole(platform, BY, OPERATOR, { organisation: 'demo', member: 'ann' }, 'member'),
    );
    const { actor } = await join('ben', 'admin');
    expect(member.role).toBe('member');
    unwrap(await add('ann', WEB, { standing: 'admin', memberId: actor.letIn?.memberId ?? null }));
    expect(unwrap(await listTeamMembers(platform, WEB))).toEqual([
      { name: 'ann', role: 'member', since: NOW },
    ]);
  });

  it('are added and removed by owners and admins only', async () => {
    const { party } = await join('ann', 'member');
    await join('ben', 'member');
    expect(await add('ann', WEB, party)).toEqual(refusedAs('not-permitted', 'may not change who belongs'));
    unwrap(await add('ben'));
    expect(await removeTeamMember(platform, BY, party, { ...WEB, member: 'ben' })).toEqual(
      refusedAs('not-permitted'),
    );
    expect(await add('nobody')).toEqual(refusedAs('not-found', 'demo has no member "nobody"'));
    expect(await add('ann', { ...WEB, team: 'none' })).toEqual(
      refusedAs('not-found', 'demo has no team "none"'),
    );
  });

  it('are listed with their teams, and removed with the team or the member', async () => {
    await join('ann', 'member');
    await join('ben', 'member');
    for (const [name, team] of [
      ['ann', WEB],
      ['ann', APP],
      ['ann', APP],
      ['ben', WEB],
    ] as const) {
      unwrap(await add(name, team));
    }
    const teams = async () =>
      Object.fromEntries(
        unwrap(await listMembersWithTeams(platform, 'demo')).map((member) => [member.name, member.teams]),
      );
    expect(await teams()).toEqual({ ann: ['app', 'web'], ben: ['web'] });
    unwrap(await deleteTeam(platform, BY, APP));
    unwrap(await removeMember(platform, BY, OPERATOR, { organisation: 'demo', member: 'ben' }));
    expect(await teams()).toEqual({ ann: ['web'] });
    expect(unwrap(await listTeamMembers(platform, WEB)).map(({ name }) => name)).toEqual(['ann']);
  });

  it('are listed with the same few queries, however many members are in many teams each', async () => {
    const { id: organisationId } = unwrap(await getOrganisation(platform.store.db, 'demo'));
    const numbers = (count: number) => Array.from({ length: count }, (_, index) => String(index));
    const [people, groups] = [numbers(1_000), numbers(40)];
    const common = { organisationId, createdAt: NOW };
    const { db: written } = platform.store;
    const columns = { ...common, role: 'member', tokenExpiresAt: null, tokenLastUsedAt: null };
    await written
      .insert(members)
      .values(people.map((name) => ({ ...columns, id: name, name, tokenHash: `hash ${name}` })));
    await written.insert(teams).values(groups.map((slug) => ({ ...common, id: slug, slug: `team-${slug}` })));
    for (const teamId of groups) {
      const rows = people.map((memberId) => ({ teamId, memberId, createdAt: NOW }));
      await written.insert(teamMembers).values(rows);
    }
    let queries = 0;
    const db = new Proxy(platform.store.db, {
      get: (target, name) => {
        if (name === 'select') queries++;
        return Reflect.get(target, name);
      },
    });
    const listed = unwrap(await listMembersWithTeams({ store: { ...platform.store, db } }, 'demo'));
    expect(listed.filter((member) => member.teams.length === 40)).toHaveLength(1_000);
    expect(queries).toBe(3);
  });

  async function setUp(): Promise<void> {
    for (const team of [WEB, APP]) unwrap(await createTeam(platform, BY, team));
  }

  async function join(
    name: string,
    role: MemberRole,
  ): Promise<{ readonly actor: Actor; readonly party: ChangingParty }> {
    const invitation = unwrap(await invite(platform, BY, OPERATOR, { organisation: 'demo', name, role }));
    const { token } = unwrap(await acceptInvitation(platform, '127.0.0.1', invitation.token));
    const found = await findByToken(platform, token);
    if (found === null) throw new Error('the token does not work');
    const memberId = found.member.id;
    const letIn = { memberId, role, tokenHash: found.tokenHash };
    return {
      actor: { who: `demo/${name}`, from: '127.0.0.1', letIn },
      party: { standing: role, memberId },
    };
  }

  const add = (member: string, team = WEB, by = OPERATOR) =>
    addTeamMember(platform, BY, by, { ...team, member });

  /** Every change of a team's keys and firewall, in an order in which all succeed. */
  const changesOf = (team: typeof WEB, actor: Actor): (() => Promise<Result<unknown>>)[] => [
    () => createKey(platform, actor, { ...team, key: 'ci' }, {}),
    () => changeKey(platform, actor, { ...team, key: 'ci' }, { name: 'cd' }),
    () => changeKey(platform, actor, { ...team, key: 'cd' }, { products: ['swap'] }),
    () => createRule(platform, actor, { ...team, rule: 'no' }, DENY),
    () => changeRule(platform, actor, { ...team, rule: 'no' }, { enabled: false }),
    () => deleteRule(platform, actor, { ...team, rule: 'no' }),
    () => deleteKey(platform, actor, { ...team, key: 'cd' }),
  ];
});

const NOW = 1_790_000_000_000;
const OPERATOR: ChangingParty = { standing: 'operator', memberId: null };
const BY = { who: 'operator', from: '127.0.0.1' };
const WEB = { organisation: 'demo', team: 'web' };
const APP = { organisation: 'demo', team: 'app' };
const DENY = { action: { type: 'deny' } } as const;
