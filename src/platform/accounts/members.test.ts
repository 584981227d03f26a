import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { auditLog } from '../tables/audit-table.ts';
import { invitations, members } from '../tables/account-tables.ts';
import { meta } from '../../store/schema/meta.ts';
import { openTestStore, STORES } from '../../testing/store/test-store.ts';
import type { Actor } from '../audit/audit.ts';
import { listAudit } from '../audit/audit-log.ts';
import { openPlatform, type OpenedPlatform } from '../index.ts';
import { acceptInvitation, INVITATION_MS, invite, listInvitations, revokeInvitation } from './invitations.ts';
import { createKey } from './keys.ts';
import { findByToken, noteTokenUse, renewToken } from './member-tokens.ts';
import { changeRole, listMembers, type ChangingParty, removeMember } from './members.ts';
import { createOrganisation, deleteOrganisation } from './organisations.ts';
import type { MemberRole } from './roles.ts';
import { createTeam } from './teams.ts';
import type { Result } from '../../common/refusal.ts';
import { unwrap } from '../../testing/platform/unwrap.ts';
import { refusedAs } from '../../testing/platform/refused.ts';
import { openForEach } from '../../testing/opened.ts';

describe.each(STORES)('members on %s', (kind) => {
  let platform: OpenedPlatform;
  let now: number;
  const test = openForEach(() => openTestStore(kind), 'cleanUp');
  beforeEach(setUp);
  afterEach(tearDown);

  it('join once by an invitation, and are found by their token', async () => {
    const { token, ...invitation } = unwrap(await inviting('ann@example.com', 'owner'));
    expect(invitation).toEqual({
      name: 'ann@example.com',
      role: 'owner',
      createdAt: now,
      expiresAt: now + INVITATION_MS,
    });
    expect(unwrap(await listInvitations(platform, ACME))).toEqual([invitation]);
    const joined = unwrap(await acceptInvitation(platform, '127.0.0.1', token));
    expect(await findByToken(platform, joined.token)).toMatchObject({
      organisation: ACME,
      member: { name: 'ann@example.com', role: 'owner' },
    });
    expect(unwrap(await listInvitations(platform, ACME))).toEqual([]);
    expect(await acceptInvitation(platform, '127.0.0.1', token)).toEqual(refusedAs('not-found'));
    for (const wrong of ['', token, joined.token.toUpperCase(), `${joined.token}0`]) {
      expect(await findByToken(platform, wrong)).toBeNull();
    }
    const { db } = test.store;
    const stored = [
      await db.select().from(members),
      await db.select().from(auditLog),
      await db.select().from(meta),
    ];
    expect(JSON.stringify(stored)).not.toContain(joined.token.slice(-64));
    expect(JSON.stringify(stored)).not.toContain(token.slice(-64));
  });

  it('cannot join by an invitation that is ten days old, revoked or replaced', async () => {
    const { token: old } = unwrap(await inviting('ann', 'member'));
    now += INVITATION_MS - 1;
    expect(unwrap(await listInvitations(platform, ACME))).toHaveLength(1);
    now += 1;
    expect(unwrap(await listInvitations(platform, ACME))).toEqual([]);
    const { token: revoked } = unwrap(await inviting('ben', 'member'));
    unwrap(await revokeInvitation(platform, ACTOR, OPERATOR, { organisation: ACME, name: 'ben' }));
    const { token: replaced } = unwrap(await inviting('cat', 'member'));
    unwrap(await inviting('cat', 'admin'));
    const before = unwrap(await listAudit(platform)).items.length;
    for (const token of [old, revoked, replaced]) {
      expect(await acceptInvitation(platform, '127.0.0.1', token)).toEqual(refusedAs('not-found'));
    }
    expect(await roles()).toEqual({});
    expect(unwrap(await listAudit(platform)).items).toHaveLength(before);
  });

  it('join once when an invitation is accepted twice at the same time', async () => {
    const { token } = unwrap(await inviting('ann', 'member'));
    const ends = await Promise.all([1, 2, 3].map(() => acceptInvitation(platform, '127.0.0.1', token)));
    expect(ends.filter(({ ok }) => ok)).toHaveLength(1);
    expect(unwrap(await listMembers(platform, ACME))).toHaveLength(1);
  });

  it('include an owner at all times, also when all owners leave at the same time', async () => {
    const ann = await join('ann', 'owner');
    for (const leave of [
      () => setRole('ann', 'admin'),
      () => remove('ann'),
      () => remove('ann', ann.party),
    ]) {
      expect(await leave()).toEqual(refusedAs('last-owner', 'last owner'));
    }
    const names = ['ben', 'cat', 'dan'];
    for (const name of names) await join(name, 'owner');
    const ends = await Promise.all(
      ['ann', ...names].map(
        (name, index): Promise<Result<unknown>> => (index % 2 === 0 ? remove(name) : setRole(name, 'member')),
      ),
    );
    expect(ends.filter(({ ok }) => !ok)).toHaveLength(1);
    expect(Object.values(await roles()).filter((role) => role === 'owner')).toHaveLength(1);
  });

  it('are changed by owners and admins, and owners only by owners', async () => {
    const owner = await join('olga', 'owner');
    const admin = await join('adam', 'admin');
    const member = await join('mia', 'member');
    const refused: [() => Promise<unknown>, string][] = [
      [() => inviting('new', 'owner', admin.party), 'admin may not change who is an owner'],
      [() => setRole('mia', 'owner', admin.party), 'admin may not change who is an owner'],
      [() => setRole('olga', 'admin', admin.party), 'admin may not change who is an owner'],
      [() => remove('olga', admin.party), 'admin may not change who is an owner'],
      [() => inviting('new', 'member', member.party), 'member may not change who is a member'],
      [() => setRole('mia', 'admin', member.party), 'member may not change who is a member'],
      [() => remove('adam', member.party), 'member may not change who is a member'],
    ];
    for (const [call, message] of refused) {
      expect(await call()).toEqual({ ok: false, error: { code: 'not-permitted', message } });
    }
    unwrap(await inviting('second', 'owner', owner.party));
    expect(await inviting('second', 'member', admin.party)).toEqual(refusedAs('not-permitted'));
    expect(
      await revokeInvitation(platform, ACTOR, admin.party, { organisation: ACME, name: 'second' }),
    ).toEqual(refusedAs('not-permitted'));
    unwrap(await setRole('mia', 'admin', admin.party));
    unwrap(await setRole('adam', 'owner', owner.party));
    unwrap(await remove('mia', { ...member.party, standing: 'admin' }));
    expect(await roles()).toEqual({ olga: 'owner', adam: 'owner' });
  });

  it('lose their open invitations when they leave or lose the right to invite', async () => {
    const admin = await join('adam', 'admin');
    unwrap(await inviting('ghost', 'admin', admin.party));
    unwrap(await setRole('adam', 'member'));
    expect(unwrap(await listInvitations(platform, ACME))).toEqual([]);
    unwrap(await setRole('adam', 'admin'));
    const { token } = unwrap(await inviting('ghost', 'admin', admin.party));
    unwrap(await remove('adam'));
    expect(await acceptInvitation(platform, '127.0.0.1', token)).toEqual(refusedAs('not-found'));
    expect(await findByToken(platform, admin.token)).toBeNull();
  });

  it('cannot change anything with rights that were revoked after their request was authenticated', async () => {
    await join('olga', 'owner');
    const names = ['ann', 'ben'];
    const owners = await Promise.all(names.map(async (name) => asLetIn((await join(name, 'owner')).token)));
    const ends = await Promise.all(
      owners.map(({ actor, party }, index) =>
        changeRole(platform, actor, party, { organisation: ACME, member: names[1 - index] ?? '' }, 'admin'),
      ),
    );
    const refused = refusedAs('rights-changed', 'meanwhile, and nothing was done');
    expect(ends).toContainEqual(refused);
    expect(Object.values(await roles()).sort()).toEqual(['admin', 'owner', 'owner']);

    const path = { organisation: ACME, team: 'web' };
    unwrap(await createTeam(platform, ACTOR, path));
    const gone = await asLetIn((await join('gus', 'admin')).token);
    unwrap(await remove('gus'));
    const renewed = await asLetIn((await join('rob', 'admin')).token);
    unwrap(await renewToken(platform, ACTOR, OPERATOR, { organisation: ACME, member: 'rob' }));
    for (const [name, { actor, party }] of Object.entries({ gus: gone, rob: renewed })) {
      for (const late of [
        () => invite(platform, actor, party, { organisation: ACME, name: `${name}-again`, role: 'admin' }),
        () => renewToken(platform, actor, party, { organisation: ACME, member: name }),
        () => createKey(platform, actor, { ...path, key: name }, {}),
        () => deleteOrganisation(platform, actor, ACME),
      ]) {
        expect(await late()).toEqual(refused);
      }
    }
    expect(unwrap(await listInvitations(platform, ACME))).toEqual([]);
  });

  it('have one token, which they and the operator can renew', async () => {
    const ann = await join('ann', 'owner');
    const ben = await join('ben', 'member');
    const path = { organisation: ACME, member: 'ben' };
    expect(await renewToken(platform, ACTOR, ann.party, path)).toEqual(refusedAs('not-permitted'));
    const { token } = unwrap(await renewToken(platform, ACTOR, ben.party, path));
    expect(await findByToken(platform, ben.token)).toBeNull();
    expect(await findByToken(platform, token)).toMatchObject({ member: { name: 'ben' } });
    const { token: again } = unwrap(await renewToken(platform, ACTOR, OPERATOR, path));
    expect(await findByToken(platform, token)).toBeNull();
    expect(await findByToken(platform, again)).not.toBeNull();
  });

  it('have a token that expires at the requested time, or as late as allowed', async () => {
    const latest = now + TOKEN_DAYS * DAY_MS;
    const ann = await join('ann', 'owner');
    const path = { organisation: ACME, member: 'ann' };
    const renew = (expiresAt?: number) => renewToken(platform, ACTOR, ann.party, path, expiresAt);
    expect(unwrap(await listMembers(platform, ACME))).toMatchObject([{ tokenExpiresAt: latest }]);
    for (const wrong of [0, now, latest + 1]) {
      expect(await renew(wrong)).toEqual({
        ok: false,
        error: {
          code: 'invalid-value',
          message: `expiresAt must be later than now, which is ${now} in Unix milliseconds and at most ${latest}, as member-token-days says, got ${wrong}`,
        },
      });
    }
    const early = unwrap(
      await acceptInvitation(
        platform,
        '127.0.0.1',
        unwrap(await inviting('ben', 'member')).token,
        now + MINUTE_MS,
      ),
    );
    now += MINUTE_MS;
    expect(await findByToken(platform, early.token)).toBeNull();
    expect(unwrap(await renew(latest))).toMatchObject({ tokenExpiresAt: latest });
    const { token, tokenExpiresAt } = unwrap(await renew());
    expect(tokenExpiresAt).toBe(now + TOKEN_DAYS * DAY_MS);
    now = latest + MINUTE_MS - 1;
    expect(await findByToken(platform, token)).not.toBeNull();
    now += 1;
    expect(await findByToken(platform, token)).toBeNull();
    const unbounded = { ...platform, memberTokenMs: null };
    const forEver = unwrap(await renewToken(unbounded, ACTOR, OPERATOR, path));
    expect(forEver.tokenExpiresAt).toBeNull();
    now += 100 * 366 * DAY_MS;
    expect(await findByToken(platform, forEver.token)).not.toBeNull();
  });

  it('show when their token was last used, to the minute', async () => {
    const { token } = await join('ann', 'owner');
    const use = async () => {
      const found = await findByToken(platform, token);
      if (found !== null) await noteTokenUse(platform, found.member);
      return unwrap(await listMembers(platform, ACME))[0]?.tokenLastUsedAt;
    };
    const first = now;
    expect(unwrap(await listMembers(platform, ACME))[0]?.tokenLastUsedAt).toBeNull();
    expect(await use()).toBe(first);
    now += MINUTE_MS - 1;
    expect(await use()).toBe(first);
    now += 1;
    expect(await use()).toBe(now);
    unwrap(await renewToken(platform, ACTOR, OPERATOR, { organisation: ACME, member: 'ann' }));
    expect(unwrap(await listMembers(platform, ACME))[0]?.tokenLastUsedAt).toBeNull();
  });

  it('are deleted with their organisation', async () => {
    const { token } = await join('ann', 'owner');
    unwrap(await inviting('ben', 'member'));
    unwrap(await deleteOrganisation(platform, ACTOR, ACME));
    expect(await findByToken(platform, token)).toBeNull();
    expect(await test.store.db.select().from(invitations)).toEqual([]);
  });

  it.each(['', 'Ann', 'ann b', '@ann', 'ann\n', 'a'.repeat(101), 'än'])(
    'cannot be called %j',
    async (name) => {
      expect(await inviting(name, 'member')).toEqual(
        refusedAs('invalid-value', /^the member's name must be/),
      );
    },
  );

  async function setUp(): Promise<void> {
    now = 1_790_000_000_000;
    platform = await openPlatform({
      store: test.store,
      keySecret: 's'.repeat(64),
      keyPrefix: 'jup_',
      products: [],
      memberTokenMs: TOKEN_DAYS * DAY_MS,
      demoKey: 'jup_of_the_data_folder',
      now: () => now,
      every: () => () => {},
      onDefect: (error) => {
        throw error;
      },
    });
    unwrap(await createOrganisation(platform, ACTOR, { slug: ACME, plan: 'free' }));
  }

  async function tearDown(): Promise<void> {
    await platform.close();
  }

  const inviting = async (name: string, role: string, by = OPERATOR) =>
    invite(platform, ACTOR, by, { organisation: ACME, name, role });
  const setRole = async (member: string, role: string, by = OPERATOR) =>
    changeRole(platform, ACTOR, by, { organisation: ACME, member }, role);
  const remove = (member: string, by = OPERATOR) =>
    removeMember(platform, ACTOR, by, { organisation: ACME, member });
  const roles = async () =>
    Object.fromEntries(unwrap(await listMembers(platform, ACME)).map((one) => [one.name, one.role]));

  /** The actor and party of a request that was authenticated with this token. */
  async function asLetIn(token: string): Promise<{ readonly actor: Actor; readonly party: ChangingParty }> {
    const found = await findByToken(platform, token);
    if (found === null) throw new Error('the token works no more');
    const { id: memberId, role, name } = found.member;
    const letIn = { memberId, role, tokenHash: found.tokenHash };
    return {
      actor: { who: `${ACME}/${name}`, from: '127.0.0.1', letIn },
      party: { standing: role, memberId },
    };
  }

  async function join(
    name: string,
    role: MemberRole,
  ): Promise<{ readonly token: string; readonly party: ChangingParty }> {
    const { token } = unwrap(
      await acceptInvitation(platform, '127.0.0.1', unwrap(await inviting(name, role)).token),
    );
    const found = await findByToken(platform, token);
    return { token, party: { standing: role, memberId: found?.member.id ?? null } };
  }
});

const ACTOR = { who: 'operator', from: '127.0.0.1' };
const OPERATOR: ChangingParty = { standing: 'operator', memberId: null };
const ACME = 'acme';
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const TOKEN_DAYS = 90;
