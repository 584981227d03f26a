import { unless } from '../answer.ts';
import type { Statement } from '../statement.ts';
import type { World } from '../world.ts';

type Call = readonly [method: string, path: string, body?: object];

/** Sends the calls one after the other, below the paths of a new organisation, and checks that they wrote `event`. */
function written(event: string, ...calls: readonly Call[]): Statement {
  return {
    id: `audit/${event.replaceAll(/[._]/g, '-')}`,
    says: `The audit log has the event ${event}.`,
    check: async (world) => {
      const { slug } = await world.newOrganisation();
      const base = `/admin/v1/organisations/${slug}`;
      for (const [method, path, body] of calls) await world.admin(method, `${base}${path}`, body);
      const { json } = await world.admin('GET', `${base}/audit?action=${event}`);
      return unless(json?.entries?.length === 1, json);
    },
  };
}

/** Makes somebody a member of an organisation, and gives the token. */
async function join(world: World, base: string, name: string, role: string): Promise<string> {
  const { token } = (await world.admin('POST', `${base}/invitations`, { name, role })).json;
  return (await world.admin('POST', '/admin/v1/invitations/accept', { token })).json.token;
}

/** Checks that a call of, or about, the member `ann` is written as `event`. */
function ofMember(event: string, [method, path, body]: Call, isOwnCall = false): Statement {
  return {
    id: `audit/${event.replaceAll(/[._]/g, '-')}`,
    says: `The audit log has the event ${event}.`,
    check: async (world) => {
      const { slug } = await world.newOrganisation();
      const base = `/admin/v1/organisations/${slug}`;
      const token = await join(world, base, 'ann', 'member');
      await world.admin(method, `${base}${path}`, body, isOwnCall ? token : undefined);
      const { json } = await world.admin('GET', `${base}/audit?action=${event}`);
      return unless(json?.entries?.length === 1, json);
    },
  };
}

const RULE: Call = ['POST', '/teams/team/rules', { name: 'rule', action: { type: 'deny' } }];
const OFF: Call = ['PATCH', '/teams/team/rules/rule', { enabled: false }];
const INVITE: Call = ['POST', '/invitations', { name: 'ann', role: 'member' }];

export const auditStatements: readonly Statement[] = [
  written('api_key.created'),
  written('api_key.renamed', ['PATCH', '/teams/team/keys/key', { name: 'other' }]),
  written('api_key.permissions_changed', ['PATCH', '/teams/team/keys/key', { products: ['swap'] }]),
  written('api_key.deleted', ['DELETE', '/teams/team/keys/key']),
  written('plan.changed', ['PATCH', '', { plan: 'launch' }]),
  written('team.created'),
  written('team.deleted', ['DELETE', '/teams/team']),
  written('member.invited', INVITE),
  written('invitation.canceled', INVITE, ['DELETE', '/invitations/ann']),
  ofMember('member.role_changed', ['PATCH', '/members/ann', { role: 'admin' }]),
  ofMember('member.removed', ['DELETE', '/members/ann']),
  ofMember('member.left', ['DELETE', '/members/ann'], true),
  written('firewall_rule.created', RULE),
  written('firewall_rule.updated', RULE, ['PATCH', '/teams/team/rules/rule', { action: { type: 'log' } }]),
  written('firewall_rule.disabled', RULE, OFF),
  written('firewall_rule.enabled', RULE, OFF, ['PATCH', '/teams/team/rules/rule', { enabled: true }]),
  written('firewall_rule.deleted', RULE, ['DELETE', '/teams/team/rules/rule']),
  {
    id: 'audit/filter',
    says: 'The audit log is filtered by the type of events.',
    check: async (world) => {
      const { slug } = await world.newOrganisation();
      const { json } = await world.admin('GET', `/admin/v1/organisations/${slug}/audit?action=api_key`);
      const actions = json.entries.map(({ action }: { readonly action: string }) => action);
      return unless(actions.join() === 'api_key.created', actions);
    },
  },
  {
    id: 'audit/secrets',
    says: 'The audit log holds no key.',
    check: async (world) => {
      const { slug, key } = await world.newOrganisation();
      const { text } = await world.admin('GET', `/admin/v1/organisations/${slug}/audit`);
      return unless(!text.includes(key.slice(-64)), text);
    },
  },
];
