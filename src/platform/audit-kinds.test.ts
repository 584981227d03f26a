import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AuditEntry, listAudit } from './audit/audit-log.ts';
import { changeRule, createRule, deleteRule } from './firewall/rules.ts';
import { acceptInvitation, INVITATION_MS, invite, revokeInvitation } from './accounts/invitations.ts';
import { changeKey, createKey, deleteKey } from './accounts/keys.ts';
import { addMaker, enableMaker, recordReinstatement, rotateMakerKey } from './makers/makers.ts';
import { renewToken } from './accounts/member-tokens.ts';
import { changeRole, type Party, removeMember } from './accounts/members.ts';
import { changePlan, createOrganisation, deleteOrganisation } from './accounts/organisations.ts';
import type { PlatformDependencies } from './dependencies.ts';
import { openTestPlatform } from './platform-for-tests.ts';
import { createTeam, deleteTeam } from './accounts/teams.ts';
import { granted } from './granted-for-tests.ts';

const NOW = 1_790_000_000_000;
const DAY_MS = 86_400_000;
const BY = { who: 'operator', from: '10.0.0.9' };
const OPERATOR: Party = { standing: 'operator', memberId: null };
const ORGANISATION = 'acme';
const TEAM = { organisation: ORGANISATION, team: 'web' };
const KEY = { ...TEAM, key: 'ci' };
const RULE = { ...TEAM, rule: 'no' };
const ADDRESS = 'So11111111111111111111111111111111111111112';

let parts: PlatformDependencies;
let cleanUp: () => Promise<void>;
beforeAll(async () => {
  ({ parts, cleanUp } = await openTestPlatform(NOW));
});
afterAll(() => cleanUp());

/** Everything that is written into the audit log, by what it is called: what it was before, and after. */
const KINDS: Readonly<Record<string, readonly [before: object | null, after: object | null]>> = {
  'organisation.create': [null, { plan: 'free' }],
  'organisation.plan': [{ plan: 'free' }, { plan: 'pro' }],
  'organisation.delete': [{ plan: 'pro', teams: {}, members: { ann: 'owner' }, invitations: {} }, null],
  'team.create': [null, {}],
  'team.delete': [{ keys: [], rules: [] }, null],
  'key.create': [null, { products: 'swap', expiresAt: null }],
  'key.change': [
    { products: 'swap', expiresAt: null },
    { products: null, expiresAt: NOW + 1 },
  ],
  'key.delete': [{ products: null, expiresAt: NOW + 1 }, null],
  'rule.create': [null, { rule: 'ALWAYS deny', enabled: true }],
  'rule.change': [
    { rule: 'ALWAYS deny', enabled: true },
    { rule: 'ALWAYS log', enabled: true },
  ],
  'rule.disable': [
    { rule: 'ALWAYS log', enabled: true },
    { rule: 'ALWAYS log', enabled: false },
  ],
  'rule.enable': [
    { rule: 'ALWAYS log', enabled: false },
    { rule: 'ALWAYS log', enabled: true },
  ],
  'rule.delete': [{ rule: 'ALWAYS log', enabled: true }, null],
  'member.invite': [null, { role: 'admin', expiresAt: NOW + INVITATION_MS }],
  'member.revoke': [{ role: 'admin' }, null],
  'member.join': [null, { role: 'admin', tokenExpiresAt: NOW + 90 * DAY_MS }],
  'member.role': [{ role: 'admin' }, { role: 'owner' }],
  'member.token': [{ tokenExpiresAt: NOW + 90 * DAY_MS }, { tokenExpiresAt: NOW + DAY_MS }],
  'member.remove': [{ role: 'admin' }, null],
  'maker.add': [null, { address: ADDRESS, pairs: null }],
  'maker.disable': [{ enabled: true }, { enabled: false }],
  'maker.enable': [{ enabled: false }, { enabled: true }],
  'maker.rotate': [null, null],
  'maker.reinstate': [null, null],
};

async function changeEverything(): Promise<void> {
  granted(await createOrganisation(parts, BY, { slug: ORGANISATION, plan: 'free' }));
  granted(await changePlan(parts, BY, ORGANISATION, 'pro'));
  granted(await createTeam(parts, BY, TEAM));
  granted(await createKey(parts, BY, KEY, { products: ['swap'] }));
  granted(await changeKey(parts, BY, KEY, { products: null, expiresAt: NOW + 1 }));
  granted(await deleteKey(parts, BY, KEY));
  granted(await createRule(parts, BY, RULE, { action: { type: 'deny' } }));
  granted(await changeRule(parts, BY, RULE, { action: { type: 'log' } }));
  for (const enabled of [false, true]) granted(await changeRule(parts, BY, RULE, { enabled }));
  granted(await deleteRule(parts, BY, RULE));
  granted(await deleteTeam(parts, BY, TEAM));
  await changeMembers();
  granted(await addMaker(parts, BY, { id: 'maker', address: ADDRESS, pairs: null }));
  for (const enabled of [false, true]) granted(await enableMaker(parts, BY, 'maker', enabled));
  granted(await rotateMakerKey(parts, BY, 'maker'));
  granted(await recordReinstatement(parts, BY, 'maker'));
  granted(await deleteOrganisation(parts, BY, ORGANISATION));
}

async function changeMembers(): Promise<void> {
  const path = (member: string) => ({ organisation: ORGANISATION, member });
  const inviting = (name: string) =>
    invite(parts, BY, OPERATOR, { organisation: ORGANISATION, name, role: 'admin' });
  for (const name of ['ann', 'ben']) {
    granted(await acceptInvitation(parts, BY.from, granted(await inviting(name)).token));
  }
  granted(await changeRole(parts, BY, OPERATOR, path('ann'), 'owner'));
  granted(await renewToken(parts, BY, OPERATOR, path('ann'), NOW + DAY_MS));
  granted(await removeMember(parts, BY, OPERATOR, path('ben')));
  await inviting('cat');
  granted(await revokeInvitation(parts, BY, OPERATOR, { organisation: ORGANISATION, name: 'cat' }));
}

/** The actions that the sources name, so that one that is added is asked for here. */
function actionsInSources(): ReadonlySet<string> {
  const folder = fileURLToPath(new URL('.', import.meta.url));
  const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('test.ts') && !name.endsWith('tests.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .filter((text) => text.includes('change('));
  return new Set(
    texts.flatMap((text) =>
      [...text.matchAll(/'((?:organisation|team|key|rule|member|maker)\.\w+)'/g)].map(
        ([, action = '']) => action,
      ),
    ),
  );
}

it('every kind of change is written down with who, from where, and what was before and after', async () => {
  await changeEverything();
  const entries: AuditEntry[] = granted(await listAudit(parts, { limit: 1_000 })).items.filter(
    ({ actor }) => actor !== 'first start',
  );
  const seen = new Map<string, readonly [object | null, object | null]>();
  for (const { action, before, after } of entries) if (!seen.has(action)) seen.set(action, [before, after]);
  expect(Object.fromEntries(seen)).toEqual(KINDS);
  expect(
    [...actionsInSources()]
      .filter((action) => !action.endsWith('.write') && !action.endsWith('.read'))
      .sort(),
  ).toEqual(Object.keys(KINDS).sort());
  for (const { at, actor, origin, action } of entries) {
    const who = action === 'member.join' ? expect.stringMatching(/^(ann|ben)$/) : BY.who;
    expect({ at, actor, origin }).toEqual({ at: NOW, actor: who, origin: BY.from });
  }
});
