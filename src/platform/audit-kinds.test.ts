import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { type AuditEntry, listAudit } from './audit/audit-log.ts';
import { changeRule, createRule, deleteRule } from './firewall/rules.ts';
import { acceptInvitation, INVITATION_MS, invite, revokeInvitation } from './accounts/invitations.ts';
import { changeKey, createKey, deleteKey } from './accounts/keys.ts';
import { makeChangesAs } from './audit/audit.ts';
import { recordBackup } from './audit/backup-records.ts';
import {
  addMaker,
  enableMaker,
  moveWebhook,
  recordReinstatement,
  rotateMakerKey,
} from '../rfq/records/maker-registry.ts';
import { changeMaker, removeMaker } from '../rfq/records/maker-changes.ts';
import { renewToken } from './accounts/member-tokens.ts';
import { changeRole, type ChangingParty, removeMember } from './accounts/members.ts';
import { changePlan, createOrganisation, deleteOrganisation } from './accounts/organisations.ts';
import { openTestPlatform } from '../testing/platform/test-platform.ts';
import { beginSession, endSession, SESSION_MS } from './sessions/sessions.ts';
import { addTeamMember, removeTeamMember } from './accounts/team-members.ts';
import { createTeam, deleteTeam } from './accounts/teams.ts';
import { changePlanLimits, resetPlanLimits } from './plans/plan-limits.ts';
import { PLANS } from './plans/plans.ts';
import { unwrap } from '../testing/platform/unwrap.ts';
import { openForAll } from '../testing/opened.ts';

const NOW = 1_790_000_000_000;

const platform = openForAll(() => openTestPlatform(NOW), 'cleanUp');

it('writes every kind of change to the audit log with its actor, origin, and the values before and after', async () => {
  await changeEverything();
  const entries: AuditEntry[] = unwrap(await listAudit(platform, { limit: 1_000 })).items.filter(
    ({ actor }) => actor !== 'first start',
  );
  const seen = new Map<string, readonly [object | null, object | null]>();
  // Of an action that occurs more often, such as the two makers, the first counts.
  for (const { action, before, after } of entries.toReversed())
    if (!seen.has(action)) seen.set(action, [before, after]);
  expect(Object.fromEntries(seen)).toEqual(KINDS);
  expect(
    [...actionsInSources()]
      .filter((action) => !action.endsWith('.write') && !action.endsWith('.read'))
      .sort(),
  ).toEqual(Object.keys(KINDS).sort());
  for (const { at, actor, origin, action } of entries) {
    const who = action === 'member.joined' ? expect.stringMatching(/^(ann|ben|dan)$/) : BY.who;
    expect({ at, actor, origin }).toEqual({ at: NOW, actor: who, origin: BY.from });
  }
});

const DAY_MS = 86_400_000;
const BY = { who: 'operator', from: '10.0.0.9' };
const OPERATOR: ChangingParty = { standing: 'operator', memberId: null };
const ORGANISATION = 'acme';
const TEAM = { organisation: ORGANISATION, team: 'web' };
const KEY = { ...TEAM, key: 'ci' };
const RULE = { ...TEAM, rule: 'no' };
const ADDRESS = 'So11111111111111111111111111111111111111112';
const OTHER_ADDRESS = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

/** Every action of the audit log, with its `before` and `after`. */
const KINDS: Readonly<Record<string, readonly [before: object | null, after: object | null]>> = {
  'organisation.created': [null, { plan: 'free' }],
  'plan.changed': [{ plan: 'free' }, { plan: 'pro' }],
  'plan.limits_changed': [PLANS.free, { ...PLANS.free, main: 7 }],
  'plan.limits_reset': [{ ...PLANS.free, main: 7 }, PLANS.free],
  'organisation.deleted': [{ plan: 'pro', teams: {}, members: { ann: 'owner' }, invitations: {} }, null],
  'team.created': [null, {}],
  'team.member_added': [null, { member: 'ann' }],
  'team.member_removed': [{ member: 'ann' }, null],
  'team.deleted': [{ keys: [], rules: [] }, null],
  'api_key.created': [null, { products: 'swap', expiresAt: null }],
  'api_key.renamed': [{ name: 'old' }, { name: 'ci' }],
  'api_key.permissions_changed': [
    { products: 'swap', expiresAt: null },
    { products: null, expiresAt: NOW + 1 },
  ],
  'api_key.deleted': [{ products: null, expiresAt: NOW + 1 }, null],
  'firewall_rule.created': [null, { rule: 'ALWAYS Deny', enabled: true }],
  'firewall_rule.updated': [
    { rule: 'ALWAYS Deny', enabled: true },
    { rule: 'ALWAYS Log', enabled: true },
  ],
  'firewall_rule.disabled': [
    { rule: 'ALWAYS Log', enabled: true },
    { rule: 'ALWAYS Log', enabled: false },
  ],
  'firewall_rule.enabled': [
    { rule: 'ALWAYS Log', enabled: false },
    { rule: 'ALWAYS Log', enabled: true },
  ],
  'firewall_rule.deleted': [{ rule: 'ALWAYS Log', enabled: true }, null],
  'member.invited': [null, { role: 'admin', expiresAt: NOW + INVITATION_MS }],
  'invitation.canceled': [{ role: 'admin' }, null],
  'member.joined': [null, { role: 'admin', tokenExpiresAt: NOW + 90 * DAY_MS }],
  'member.role_changed': [{ role: 'admin' }, { role: 'owner' }],
  'member.token_renewed': [{ tokenExpiresAt: NOW + 90 * DAY_MS }, { tokenExpiresAt: NOW + DAY_MS }],
  'member.removed': [{ role: 'admin' }, null],
  'member.left': [{ role: 'admin' }, null],
  'session.begun': [null, { expiresAt: NOW + SESSION_MS }],
  'session.ended': [{ expiresAt: NOW + SESSION_MS }, { reason: 'signed out' }],
  'maker.added': [null, { address: ADDRESS, pairs: null }],
  'maker.changed': [{ name: null }, { name: 'Maker & Co.' }],
  'maker.disabled': [{ enabled: true }, { enabled: false }],
  'maker.enabled': [{ enabled: false }, { enabled: true }],
  'maker.key_rotated': [null, null],
  'maker.reinstated': [null, null],
  'maker.removed': [{ address: ADDRESS, pairs: null, name: 'Maker & Co.' }, null],
  'backup.made': [null, { bytes: 5, durationMs: 7, files: 2, databases: [] }],
  'backup.failed': [null, { bytes: 0, durationMs: 7, failure: 'no space is left' }],
  'maker.webhook_moved': [{ url: 'http://127.0.0.1:1/a' }, { url: 'http://127.0.0.1:2/a' }],
};

async function changeEverything(): Promise<void> {
  unwrap(await createOrganisation(platform, BY, { slug: ORGANISATION, plan: 'free' }));
  unwrap(await changePlan(platform, BY, ORGANISATION, 'pro'));
  const keyless = { main: 30, local: 30 };
  unwrap(await changePlanLimits(platform, BY, keyless, 'free', { main: 7 }));
  unwrap(await resetPlanLimits(platform, BY, keyless, 'free'));
  unwrap(await createTeam(platform, BY, TEAM));
  unwrap(await createKey(platform, BY, { ...KEY, key: 'old' }, { products: ['swap'] }));
  unwrap(await changeKey(platform, BY, { ...KEY, key: 'old' }, { name: 'ci' }));
  unwrap(await changeKey(platform, BY, KEY, { products: null, expiresAt: NOW + 1 }));
  unwrap(await deleteKey(platform, BY, KEY));
  unwrap(await createRule(platform, BY, RULE, { action: { type: 'deny' } }));
  unwrap(await changeRule(platform, BY, RULE, { action: { type: 'log' } }));
  for (const enabled of [false, true]) unwrap(await changeRule(platform, BY, RULE, { enabled }));
  unwrap(await deleteRule(platform, BY, RULE));
  await changeMembers();
  const operator = { kind: 'operator', name: null, credentialHash: 'h' } as const;
  const nothing = { cookies: [], pageToken: null };
  unwrap(await endSession(platform, BY, unwrap(await beginSession(platform, operator, BY.from, nothing))));
  unwrap(await deleteTeam(platform, BY, TEAM));
  unwrap(
    await addMaker(platform, makeChangesAs(platform, BY), { id: 'maker', address: ADDRESS, pairs: null }),
  );
  for (const enabled of [false, true])
    unwrap(await enableMaker(makeChangesAs(platform, BY), 'maker', enabled));
  unwrap(await rotateMakerKey(platform, makeChangesAs(platform, BY), 'maker'));
  unwrap(await recordReinstatement(makeChangesAs(platform, BY), 'maker'));
  unwrap(await changeMaker(platform, makeChangesAs(platform, BY), 'maker', { name: 'Maker & Co.' }));
  unwrap(await removeMaker(makeChangesAs(platform, BY), 'maker'));
  const webhook = { url: 'http://127.0.0.1:1/a', apiKey: null };
  unwrap(
    await addMaker(platform, makeChangesAs(platform, BY), {
      id: 'asked',
      address: OTHER_ADDRESS,
      pairs: null,
      webhook,
    }),
  );
  unwrap(await moveWebhook(makeChangesAs(platform, BY), 'asked', 'http://127.0.0.1:2/a'));
  unwrap(await deleteOrganisation(platform, BY, ORGANISATION));
  const made = { bytes: 5, durationMs: 7, contents: { files: 2, databases: [] }, failure: null };
  await recordBackup(platform, BY, made);
  await recordBackup(platform, BY, { ...made, bytes: 0, contents: null, failure: 'no space is left' });
}

async function changeMembers(): Promise<void> {
  const path = (member: string) => ({ organisation: ORGANISATION, member });
  const inviting = (name: string) =>
    invite(platform, BY, OPERATOR, { organisation: ORGANISATION, name, role: 'admin' });
  for (const name of ['ann', 'ben']) {
    unwrap(await acceptInvitation(platform, BY.from, unwrap(await inviting(name)).token));
  }
  unwrap(await addTeamMember(platform, BY, OPERATOR, { ...TEAM, member: 'ann' }));
  unwrap(await removeTeamMember(platform, BY, OPERATOR, { ...TEAM, member: 'ann' }));
  unwrap(await changeRole(platform, BY, OPERATOR, path('ann'), 'owner'));
  unwrap(await renewToken(platform, BY, OPERATOR, path('ann'), NOW + DAY_MS));
  unwrap(await removeMember(platform, BY, OPERATOR, path('ben')));
  const left = await acceptInvitation(platform, BY.from, unwrap(await inviting('dan')).token);
  const dan: ChangingParty = { standing: 'admin', memberId: unwrap(left).member.id };
  unwrap(await removeMember(platform, BY, dan, path('dan')));
  await inviting('cat');
  unwrap(await revokeInvitation(platform, BY, OPERATOR, { organisation: ORGANISATION, name: 'cat' }));
}

/** The actions that occur in the sources, so that this test fails for an action that it does not list. */
function actionsInSources(): ReadonlySet<string> {
  const folders = ['.', '../rfq/records/'].map((path) => fileURLToPath(new URL(path, import.meta.url)));
  const texts = folders
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    )
    .filter((path) => path.endsWith('.ts') && !path.endsWith('test.ts') && !path.endsWith('tests.ts'))
    .map((path) => readFileSync(path, 'utf8'))
    .filter((text) => /\b(change|changeUncached|recordAction)\(/.test(text));
  return new Set(
    texts.flatMap((text) =>
      [
        ...text.matchAll(
          /'((?:organisation|plan|team|api_key|firewall_rule|member|invitation|maker|backup|session)\.\w+)'/g,
        ),
      ].map(([, action = '']) => action),
    ),
  );
}
