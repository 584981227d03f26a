import { and, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { openTestPlatform } from '../../testing/platform/test-platform.ts';
import { openForEach } from '../../testing/opened.ts';
import { unwrap } from '../../testing/platform/unwrap.ts';
import { acceptInvitation, invite } from '../accounts/invitations.ts';
import { findByToken, renewToken } from '../accounts/member-tokens.ts';
import { changeRole, removeMember } from '../accounts/members.ts';
import { isStillLetIn, makeChangesAs } from '../audit/audit.ts';
import { listAudit } from '../audit/audit-log.ts';
import { IDLE_MS } from '../audit/session-life.ts';
import { REVISION } from '../audit/revision.ts';
import { meta } from '../../store/schema/meta.ts';
import { adminSessions } from '../tables/account-tables.ts';
import type { SessionHolder } from './session-holder.ts';
import * as sessions from './sessions.ts';

const platform = openForEach(() => openTestPlatform(START), 'cleanUp');

describe('findSession', () => {
  it('finds whose session it is by both halves, and by neither alone', async () => {
    const { cookie, pageToken, expiresAt } = await begin(OPERATOR);
    const other = await begin(OPERATOR);
    expect(await find([cookie], pageToken)).toMatchObject({ holder: OPERATOR, expiresAt });
    expect(expiresAt).toBe(START + sessions.SESSION_MS);
    expect(await find([cookie], null)).toBeNull();
    expect(await find([], pageToken)).toBeNull();
    expect(await find([pageToken], cookie)).toBeNull();
    expect(await find([cookie], other.pageToken)).toBeNull();
    expect(await find([other.cookie], pageToken)).toBeNull();
  });

  it('finds it among the cookies that another server of the host has set', async () => {
    const { cookie, pageToken } = await begin(OPERATOR);
    const other = await begin(await join('ann', 'member'));
    expect(await find(['x'.repeat(43), other.cookie, cookie], pageToken)).toMatchObject({ holder: OPERATOR });
  });

  it('finds a member with the role and the organisation', async () => {
    const { cookie, pageToken } = await begin(await join('ann', 'admin'));
    expect((await find([cookie], pageToken))?.holder).toMatchObject({
      kind: 'member',
      organisation: 'demo',
      member: { name: 'ann', role: 'admin' },
    });
  });

  it('finds none of the operator under another credential', async () => {
    const { cookie, pageToken } = await begin(OPERATOR);
    expect(await sessions.findSession(platform, { cookies: [cookie], pageToken }, 'another')).toBeNull();
  });

  it.each([
    ['12 hours', sessions.SESSION_MS, sessions.SESSION_MS - 1],
    ['an hour without a request', IDLE_MS, 0],
  ])('finds none after %s', async (_, after, usedAfter) => {
    const { id, cookie, pageToken } = await begin(OPERATOR);
    await platform.store.db
      .update(adminSessions)
      .set({ usedAt: START + usedAfter })
      .where(eq(adminSessions.id, id));
    const findAt = (now: number) =>
      sessions.findSession({ ...platform, now: () => now }, { cookies: [cookie], pageToken }, HASH);
    expect(await findAt(START + after - 1)).not.toBeNull();
    await platform.store.db
      .update(adminSessions)
      .set({ usedAt: START + usedAfter })
      .where(eq(adminSessions.id, id));
    expect(await findAt(START + after)).toBeNull();
  });

  it('notes each minute that it is used, so that an hour begins again', async () => {
    const { id, cookie, pageToken } = await begin(OPERATOR);
    const useAt = async (after: number) => {
      const later = { ...platform, now: () => START + after };
      await sessions.findSession(later, { cookies: [cookie], pageToken }, HASH);
      const [row] = await platform.store.db.select().from(adminSessions).where(eq(adminSessions.id, id));
      return (row?.usedAt ?? 0) - START;
    };
    expect(await useAt(59_999)).toBe(0);
    expect(await useAt(60_000)).toBe(60_000);
    expect(await useAt(3_600_000)).toBe(3_600_000);
  });

  it('finds none that begins long after now, because the clock was set back', async () => {
    const { cookie, pageToken } = await begin(OPERATOR);
    const findAt = (now: number) =>
      sessions.findSession({ ...platform, now: () => now }, { cookies: [cookie], pageToken }, HASH);
    expect(await findAt(START - 60_000)).not.toBeNull();
    expect(await findAt(START - 3_600_000)).toBeNull();
  });

  it('finds none after the member was removed, or had another role or token', async () => {
    const changes = {
      ann: () => removeMember(platform, BY, BY_OPERATOR, path('ann')),
      ben: () => changeRole(platform, BY, BY_OPERATOR, path('ben'), 'member'),
      cat: () => renewToken(platform, BY, BY_OPERATOR, path('cat')),
    };
    for (const [name, make] of Object.entries(changes)) {
      const { cookie, pageToken } = await begin(await join(name, 'admin'));
      expect(await find([cookie], pageToken)).not.toBeNull();
      const changed = await make();
      expect(changed.ok).toBe(true);
      expect(await find([cookie], pageToken), name).toBeNull();
    }
  });

  it('finds none that began with a role which the member has lost and has again', async () => {
    const { cookie, pageToken } = await begin(await join('ann', 'admin'));
    for (const role of ['member', 'admin'])
      unwrap(await changeRole(platform, BY, BY_OPERATOR, path('ann'), role));
    expect(await find([cookie], pageToken)).toBeNull();
  });
});

describe('beginSession', () => {
  it('keeps only hashes', async () => {
    const { cookie, pageToken } = await begin(OPERATOR);
    const text = JSON.stringify(await platform.store.db.select().from(adminSessions));
    for (const secret of [cookie, pageToken]) expect(text).not.toContain(secret);
    expect(JSON.stringify(unwrap(await listAudit(platform, {})))).not.toContain(pageToken);
  });

  it('ignores what the browser sent, and ends the session that it had', async () => {
    const first = await begin(OPERATOR);
    const second = await begin(OPERATOR, { cookies: [first.cookie], pageToken: first.pageToken });
    expect(second.cookie).not.toBe(first.cookie);
    expect(second.pageToken).not.toBe(first.pageToken);
    expect(await find([first.cookie], first.pageToken)).toBeNull();
    expect(await find([second.cookie], second.pageToken)).not.toBeNull();
    const planted = 'p'.repeat(43);
    const third = await begin(OPERATOR, { cookies: [planted], pageToken: planted });
    expect([third.cookie, third.pageToken]).not.toContain(planted);
    expect(await find([planted], planted)).toBeNull();
  });

  it('ends no session of somebody else by its cookie alone', async () => {
    const operator = await begin(OPERATOR);
    const ann = await join('ann', 'owner');
    await begin(ann, { cookies: [operator.cookie], pageToken: null });
    expect(await find([operator.cookie], operator.pageToken)).not.toBeNull();
    await begin(ann, { cookies: [operator.cookie], pageToken: operator.pageToken });
    expect(await find([operator.cookie], operator.pageToken)).toBeNull();
    const [ended] = unwrap(await listAudit(platform, { action: 'session.ended' })).items;
    expect(ended).toMatchObject({ actor: 'demo/ann', subject: 'the operator' });
  });

  it('lets the oldest of too many make room', async () => {
    const ann = await join('ann', 'owner');
    const operator = await begin(OPERATOR);
    const begun: sessions.BegunSession[] = [];
    for (let index = 0; index <= sessions.MAX_SESSIONS.member; index++) {
      await platform.store.db
        .update(adminSessions)
        .set({ createdAt: START - 100 + index })
        .where(eq(adminSessions.id, begun.at(-1)?.id ?? ''));
      begun.push(await begin(ann));
    }
    const found = await Promise.all(begun.map(({ cookie, pageToken }) => find([cookie], pageToken)));
    expect(found.map((session) => session !== null)).toEqual(begun.map((_, index) => index > 0));
    expect(await find([operator.cookie], operator.pageToken)).not.toBeNull();
  });

  it('ends with the token that it stands for', async () => {
    const ann = await join('ann', 'owner', START + 1_000);
    expect((await begin(ann)).expiresAt).toBe(START + 1_000);
  });

  it('is refused when the token was renewed meanwhile', async () => {
    const ann = await join('ann', 'owner');
    await renewToken(platform, BY, BY_OPERATOR, path('ann'));
    const begun = await sessions.beginSession(platform, ann, '127.0.0.1', NOTHING);
    expect(begun).toMatchObject({ ok: false, error: { code: 'rights-changed' } });
    expect(await platform.store.db.select().from(adminSessions)).toEqual([]);
  });
});

describe('signing in and out', () => {
  it('lets no process read its keys again, however often somebody does it', async () => {
    const ann = await join('ann', 'owner');
    const readRevision = () => platform.store.db.select().from(meta).where(eq(meta.name, REVISION));
    const before = await readRevision();
    const first = await begin(ann);
    unwrap(await sessions.endSession(platform, BY, first));
    await begin(ann, { cookies: [first.cookie], pageToken: first.pageToken });
    unwrap(await sessions.endAllSessions(platform, BY, { memberId: null }));
    expect(await readRevision()).toEqual(before);
  });
});

describe('the end of a session', () => {
  it('refuses a change that was authenticated before, and no other session', async () => {
    const [first, second] = [await begin(OPERATOR), await begin(OPERATOR)];
    unwrap(await sessions.endSession(platform, BY, first));
    const work = async () => ({ result: 1, action: 'x', subject: 'x', before: null, after: null });
    const changeIn = (session: string) => makeChangesAs(platform, { ...BY, session })(work);
    await expect(changeIn(first.id)).rejects.toThrow('the session ended');
    expect(await changeIn(second.id)).toBe(1);
    expect(await isStillLetIn(platform.store.db, { session: first.id }, START)).toBe(false);
    expect(await isStillLetIn(platform.store.db, { session: second.id }, START)).toBe(true);
    for (const [after, isLetIn] of [
      [IDLE_MS - 1, true],
      [IDLE_MS, false],
      [sessions.SESSION_MS, false],
    ] as const)
      expect(await isStillLetIn(platform.store.db, { session: second.id }, START + after)).toBe(isLetIn);
  });

  it('everywhere leaves the sessions of others', async () => {
    const ann = await join('ann', 'owner');
    const [own, alsoOwn, operator] = [await begin(ann), await begin(ann), await begin(OPERATOR)];
    const memberId = ann.kind === 'member' ? ann.member.id : null;
    expect(unwrap(await sessions.endAllSessions(platform, BY, { memberId }))).toBe(2);
    for (const { cookie, pageToken } of [own, alsoOwn]) expect(await find([cookie], pageToken)).toBeNull();
    expect(await find([operator.cookie], operator.pageToken)).not.toBeNull();
    expect(unwrap(await sessions.endAllSessions(platform, BY, { memberId: null }))).toBe(1);
  });

  it('removes its row, by itself too, by the clock of the database', async () => {
    const { id } = await begin(OPERATOR);
    const now = await platform.store.now(platform.store.db);
    const setTimes = (usedAt: number, expiresAt: number) =>
      platform.store.db
        .update(adminSessions)
        .set({ usedAt, expiresAt })
        .where(and(eq(adminSessions.id, id)));
    await setTimes(now, now + 60_000);
    await sessions.removeEndedSessions(platform.store);
    expect(await platform.store.db.select().from(adminSessions)).toHaveLength(1);
    await setTimes(now - IDLE_MS - 600_000, now + 60_000);
    await sessions.removeEndedSessions(platform.store);
    expect(await platform.store.db.select().from(adminSessions)).toEqual([]);
  });
});

/** As late as the clock of the database, so that it removes nothing meanwhile. */
const START = 4_000_000_000_000;
const HASH = 'the hash of the credential';
const OPERATOR: SessionHolder = { kind: 'operator', name: 'ann', credentialHash: HASH };
const BY = { who: 'test', from: 'test' };
const BY_OPERATOR = { standing: 'operator', memberId: null } as const;
const NOTHING: sessions.SessionHalves = { cookies: [], pageToken: null };

const path = (member: string) => ({ organisation: 'demo', member });

async function begin(holder: SessionHolder, previous = NOTHING): Promise<sessions.BegunSession> {
  return unwrap(await sessions.beginSession(platform, holder, '127.0.0.1', previous));
}

function find(cookies: readonly string[], pageToken: string | null) {
  return sessions.findSession(platform, { cookies, pageToken }, HASH);
}

async function join(name: string, role: string, expiresAt?: number): Promise<SessionHolder> {
  const invitation = { organisation: 'demo', name, role };
  const { token } = unwrap(await invite(platform, BY, BY_OPERATOR, invitation));
  const joined = unwrap(await acceptInvitation(platform, 'test', token, expiresAt));
  const found = await findByToken(platform, joined.token);
  if (found === null) throw new Error('the token is unknown');
  return { kind: 'member', ...found };
}
