import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { STORES } from '../../testing/store/test-store.ts';
import { type AuditQuery, listAudit, listOrganisationAudit } from './audit-log.ts';
import { createRule } from '../firewall/rules.ts';
import { acceptInvitation, invite } from '../accounts/invitations.ts';
import { createKey } from '../accounts/keys.ts';
import { makeChangesAs } from './audit.ts';
import { addMaker } from '../../rfq/records/maker-registry.ts';
import { changeRole, type ChangingParty } from '../accounts/members.ts';
import {
  changePlan,
  createOrganisation,
  getOrganisation,
  deleteOrganisation,
  listOrganisations,
} from '../accounts/organisations.ts';
import { findPlanBefore } from '../plans/plan-history.ts';
import { createPageByName } from '../requests/paging.ts';
import type { PlatformDependencies } from '../dependencies.ts';
import { openTestPlatform } from '../../testing/platform/test-platform.ts';
import { createTeam, deleteTeam } from '../accounts/teams.ts';
import { unwrap } from '../../testing/platform/unwrap.ts';
import { refusedAs } from '../../testing/platform/refused.ts';

describe.each(STORES)('the audit log on %s', (kind) => {
  let platform: PlatformDependencies;
  let cleanUp: () => Promise<void>;
  let now = START;
  beforeEach(setUp);
  afterEach(() => cleanUp());

  it('is filtered by who, what, of what, and when', async () => {
    expect((await subjects({ actor: 'acme:ann' })).sort()).toEqual(['acme/a', 'acme/b', 'acme/c']);
    expect((await subjects({ action: 'team.created' })).sort()).toEqual([
      'acme/a',
      'acme/b',
      'acme/c',
      'demo/demo',
    ]);
    expect(await subjects({ action: 'team', actor: 'operator' })).toEqual([]);
    expect((await subjects({ subject: 'acme' })).sort()).toEqual(['acme', 'acme/a', 'acme/b', 'acme/c']);
    expect(await subjects({ subject: 'acme/a' })).toEqual(['acme/a']);
    for (const pattern of ['acm%', '_cme', 'acm', ''])
      expect(await subjects({ subject: pattern })).toEqual([]);
    const [since, until] = [START + 1_000, START + 3_000];
    expect(await subjects({ action: 'organisation', since, until })).toEqual(['acme-2', 'acme']);
  });

  it('is read to its end by pages, each entry once', async () => {
    const whole = await subjects({ limit: 1_000 });
    for (const limit of [1, 3, whole.length]) {
      const read: string[] = [];
      let cursor: string | null | undefined;
      while (cursor !== null) {
        const page = unwrap(
          await listAudit(platform, { limit, ...(cursor === undefined ? {} : { cursor }) }),
        );
        expect(page.items.length).toBeLessThanOrEqual(limit);
        read.push(...page.items.map(({ subject }) => subject));
        cursor = page.next;
      }
      expect(read).toEqual(whole);
    }
  });

  it('lists the changes of one millisecond newest first, over pages too, and finds the last plan among them', async () => {
    const plans = Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? 'pro' : 'developer'));
    for (const plan of plans) unwrap(await changePlan(platform, BEN, 'acme', plan));
    const changed: unknown[] = [];
    let query: AuditQuery = { action: 'plan.changed', limit: 5 };
    for (;;) {
      const { items, next } = unwrap(await listAudit(platform, query));
      changed.push(...items.map(({ at, after }) => ({ at, ...after })));
      if (next === null) break;
      query = { ...query, cursor: next };
    }
    expect(changed).toEqual([...plans].reverse().map((plan) => ({ at: now, plan })));
    const acme = unwrap(await getOrganisation(platform.store.db, 'acme'));
    expect(await findPlanBefore(platform.store.db, { ...acme, plan: 'free' }, now + 1)).toBe('developer');
  });

  it('tells an organisation nothing of another, nor of one before it that had its slug', async () => {
    const acme = async () => unwrap(await getOrganisation(platform.store.db, 'acme'));
    const of = async (query: AuditQuery = {}) =>
      unwrap(await listOrganisationAudit(platform, await acme(), query)).items.map(({ subject }) => subject);
    const refused = async (subject: string) => listOrganisationAudit(platform, await acme(), { subject });
    expect((await of()).sort()).toEqual(['acme', 'acme/a', 'acme/b', 'acme/c']);
    expect(await of({ subject: 'acme/b' })).toEqual(['acme/b']);
    expect(await refused('acme-2')).toEqual(refusedAs('invalid-value'));
    expect(await refused('zoo')).toEqual(
      refusedAs('invalid-value', 'subject must be acme or in it, got "zoo"'),
    );
    const maker = { id: 'acme', address: 'So11111111111111111111111111111111111111112', pairs: null };
    unwrap(await addMaker(platform, makeChangesAs(platform, BEN), maker));
    const sign = makeChangesAs(platform, BEN);
    await sign(async () => ({
      result: null,
      action: 'sandbox_wallet.signed',
      subject: 'acme',
      before: null,
      after: {},
    }));
    expect(await subjects({ action: 'maker' })).toEqual(['acme']);
    expect(await subjects({ action: 'sandbox_wallet' })).toEqual(['acme']);
    expect((await of()).length).toBe(4);
    unwrap(await deleteOrganisation(platform, BEN, 'acme'));
    now += 1;
    unwrap(await createOrganisation(platform, BEN, { slug: 'acme', plan: 'free' }));
    expect(await of()).toEqual(['acme']);
    expect(await of({ since: 0 })).toEqual(['acme']);
  });

  it('says what went with what was deleted, and with whom', async () => {
    const team = { organisation: 'acme', team: 'a' };
    for (const key of ['two', 'one']) unwrap(await createKey(platform, ANN, { ...team, key }, {}));
    unwrap(await createRule(platform, ANN, { ...team, rule: 'all' }, { action: { type: 'log' } }));
    const operator: ChangingParty = { standing: 'operator', memberId: null };
    const { token } = unwrap(
      await invite(platform, BEN, operator, {
        organisation: 'acme',
        name: 'ann',
        role: 'admin',
      }),
    );
    const { id: memberId } = unwrap(await acceptInvitation(platform, '127.0.0.1', token)).member;
    const ann: ChangingParty = { standing: 'admin', memberId };
    for (const name of ['eve', 'bob']) {
      unwrap(await invite(platform, ANN, ann, { organisation: 'acme', name, role: 'member' }));
    }
    const whatWas = async (action: string) => unwrap(await listAudit(platform, { action })).items[0]?.before;
    unwrap(await changeRole(platform, BEN, operator, { organisation: 'acme', member: 'ann' }, 'member'));
    expect(await whatWas('member.role_changed')).toEqual({ role: 'admin', invitations: ['bob', 'eve'] });
    unwrap(await invite(platform, BEN, operator, { organisation: 'acme', name: 'zed', role: 'owner' }));
    unwrap(await deleteTeam(platform, BEN, { organisation: 'acme', team: 'c' }));
    expect(await whatWas('team.deleted')).toEqual({ keys: [], rules: [] });
    unwrap(await deleteOrganisation(platform, BEN, 'acme'));
    expect(await whatWas('organisation.deleted')).toEqual({
      plan: 'free',
      teams: { a: { keys: ['one', 'two'], rules: ['all'] }, b: { keys: [], rules: [] } },
      members: { ann: 'member' },
      invitations: { zed: 'owner' },
    });
  });

  it('has pages, like the list of organisations, and refuses cursors that it did not return', async () => {
    const first = unwrap(await listOrganisations(platform, { limit: 3 }));
    expect(first.items.map(({ slug }) => slug)).toEqual(['acme', 'acme-2', 'demo']);
    const second = unwrap(await listOrganisations(platform, { limit: 3, cursor: first.next ?? '' }));
    expect(second).toMatchObject({ items: [{ slug: 'zoo' }], next: null });
    const made = (...place: unknown[]) => Buffer.from(JSON.stringify(place)).toString('base64url');
    const notOurs = [made(1, 2), made(1.5, 'x'), made(1e300, 'x'), made(1, 'a\0b')];
    for (const cursor of ['', 'x', 'bnVsbA', ...notOurs, first.next ?? '']) {
      expect(await listAudit(platform, { cursor }), cursor).toEqual(refusedAs('invalid-value'));
    }
    const cursor = made('a\0b');
    expect(await listOrganisations(platform, { cursor })).toEqual(refusedAs('invalid-value'));
  });

  async function setUp(): Promise<void> {
    now = START;
    const opened = await openTestPlatform(START, kind);
    cleanUp = opened.cleanUp;
    platform = { ...opened, now: () => now };
    for (const slug of ['acme', 'acme-2', 'zoo']) {
      now += 1_000;
      unwrap(await createOrganisation(platform, BEN, { slug, plan: 'free' }));
    }
    for (const team of ['a', 'b', 'c'])
      unwrap(await createTeam(platform, ANN, { organisation: 'acme', team }));
  }

  const subjects = async (query: AuditQuery) =>
    unwrap(await listAudit(platform, query)).items.map(({ subject }) => subject);
});

describe('a short list', () => {
  it('goes on after the name of the page before, also when that is gone', async () => {
    const names = ['d', 'b', 'a', 'c'];
    const page = unwrap(await createPageByName(names, { limit: 2 }, (name) => name));
    expect(page.items).toEqual(['a', 'b']);
    const rest = names.filter((name) => name !== 'b');
    expect(unwrap(await createPageByName(rest, { cursor: page.next ?? '' }, (name) => name))).toEqual({
      items: ['c', 'd'],
      next: null,
    });
  });
});

const ANN = { who: 'acme:ann', from: '10.0.0.1' };
const BEN = { who: 'operator', from: '127.0.0.1' };
const START = 1_790_000_000_000;
