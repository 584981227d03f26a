import { toGivenAction } from '../../../platform/firewall/parse-rule.ts';
import { describeRule, type Rule } from '../../../platform/firewall/rule.ts';
import { changeRule, createRule, deleteRule, listRules } from '../../../platform/firewall/rules.ts';
import { toGivenCondition } from '../../../platform/firewall/stored-rule.ts';
import { tryRules } from '../../../platform/firewall/try-rules.ts';
import { unwrapResult } from '../access/unwrap-result.ts';
import { defineAdminEndpoint } from '../endpoint/admin-endpoint.ts';
import { defineDeletion } from './deletion.ts';
import * as shape from './firewall-schema.ts';
import { TeamParams } from './platform-schema.ts';
import type { PlatformServices } from './platform-services.ts';
import { TEAMS } from './resource-paths.ts';

const RULES = `${TEAMS}/:team/rules`;

const list = defineAdminEndpoint({
  method: 'GET',
  path: RULES,
  right: 'organisation.read',
  summary: 'The firewall rules of a team',
  params: TeamParams,
  responses: { 200: shape.RulesAnswer },
  handle: async ({ platform }: PlatformServices, { params }) => ({
    rules: unwrapResult(await listRules(platform, params)).map(toRuleJson),
  }),
});

const add = defineAdminEndpoint({
  method: 'POST',
  path: RULES,
  right: 'rule.write',
  summary: 'Add a firewall rule',
  params: TeamParams,
  body: shape.RuleBody,
  responses: { 200: shape.RuleAnswer },
  handle: async ({ platform }: PlatformServices, { params, body, actor }) => {
    const { name, ...terms } = body;
    return toRuleJson(unwrapResult(await createRule(platform, actor, { ...params, rule: name }, terms)));
  },
});

const change = defineAdminEndpoint({
  method: 'PATCH',
  path: `${RULES}/:rule`,
  right: 'rule.write',
  summary: 'Change a firewall rule, or switch it on or off',
  params: shape.RuleParams,
  body: shape.RuleChangeBody,
  responses: { 200: shape.RuleAnswer },
  handle: async ({ platform }: PlatformServices, { params, body, actor }) =>
    toRuleJson(unwrapResult(await changeRule(platform, actor, params, body))),
});

const remove = defineDeletion({
  path: `${RULES}/:rule`,
  right: 'rule.write',
  summary: 'Remove a firewall rule',
  params: shape.RuleParams,
  remove: ({ platform }, params, { actor }) => deleteRule(platform, actor, params),
});

const test = defineAdminEndpoint({
  method: 'POST',
  path: `${TEAMS}/:team/firewall-test`,
  right: 'organisation.read',
  summary: 'Test what the firewall of a team would do with a request; nothing is counted',
  params: TeamParams,
  body: shape.TryBody,
  responses: { 200: shape.TryAnswer },
  handle: async ({ platform }: PlatformServices, { params, body }) => {
    const { path, method = 'GET', key = '', ip = null, country = null, headers = {} } = body;
    const tried = { path, method, key, ip, country, headers };
    const { matched, decided } = unwrapResult(await tryRules(platform, params, tried));
    return { matched: [...matched], decided };
  },
});

/** The firewall rules of each team. */
export const FIREWALL_ENDPOINTS = [list, add, change, remove, test];

function toRuleJson(rule: Rule) {
  const { name, enabled, groups, action, createdAt } = rule;
  return {
    name,
    enabled,
    expression: describeRule(rule),
    groups: groups.map((group) =>
      group.map((condition) => ({ ...toGivenCondition(condition), values: [...condition.values] })),
    ),
    action: toGivenAction(action),
    createdAt,
  };
}
