import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { toGivenAction } from '../../../platform/firewall/parse-rule.ts';
import { describeRule, type Rule } from '../../../platform/firewall/rule.ts';
import { changeRule, createRule, deleteRule, listRules } from '../../../platform/firewall/rules.ts';
import { toGivenCondition } from '../../../platform/firewall/stored-rule.ts';
import { tryRules } from '../../../platform/firewall/try-rules.ts';
import type { PlatformDependencies } from '../../../platform/dependencies.ts';
import * as shape from './firewall-schema.ts';
import { actorOf } from '../access/access.ts';
import { registerDeletion, createPlatformSchema, TEAMS } from './resource-paths.ts';
import { TeamParams } from './platform-schema.ts';
import { unwrapResult } from '../access/unwrap-result.ts';

const RULES = `${TEAMS}/:team/rules`;

/** Registers the firewall rules of each team. */
export function registerFirewall(root: FastifyInstance, platform: PlatformDependencies): void {
  const app = root.withTypeProvider<TypeBoxTypeProvider>();
  const params = TeamParams;
  app.get(
    RULES,
    {
      config: { right: 'organisation.read' },
      schema: createPlatformSchema('The firewall rules of a team', {
        params,
        response: { 200: shape.RulesAnswer },
      }),
    },
    async (request) => ({ rules: unwrapResult(await listRules(platform, request.params)).map(toRuleJson) }),
  );
  app.post(
    RULES,
    {
      config: { right: 'rule.write' },
      schema: createPlatformSchema('Add a firewall rule', {
        params,
        body: shape.RuleBody,
        response: { 200: shape.RuleAnswer },
      }),
    },
    async (request) => {
      const { name, ...terms } = request.body;
      return toRuleJson(
        unwrapResult(await createRule(platform, actorOf(request), { ...request.params, rule: name }, terms)),
      );
    },
  );
  app.patch(
    `${RULES}/:rule`,
    {
      config: { right: 'rule.write' },
      schema: createPlatformSchema('Change a firewall rule, or switch it on or off', {
        params: shape.RuleParams,
        body: shape.RuleChangeBody,
        response: { 200: shape.RuleAnswer },
      }),
    },
    async (request) =>
      toRuleJson(unwrapResult(await changeRule(platform, actorOf(request), request.params, request.body))),
  );
  registerDeletion(
    root,
    `${RULES}/:rule`,
    { right: 'rule.write', summary: 'Remove a firewall rule', params: shape.RuleParams },
    (request, deleted) => deleteRule(platform, actorOf(request), deleted),
  );
  app.post(
    `${TEAMS}/:team/firewall-test`,
    {
      config: { right: 'organisation.read' },
      schema: createPlatformSchema(
        'Test what the firewall of a team would do with a request; nothing is counted',
        {
          params,
          body: shape.TryBody,
          response: { 200: shape.TryAnswer },
        },
      ),
    },
    async (request) => {
      const { path, method = 'GET', key = '', ip = null, country = null, headers = {} } = request.body;
      const tried = { path, method, key, ip, country, headers };
      const { matched, decided } = unwrapResult(await tryRules(platform, request.params, tried));
      return { matched: [...matched], decided };
    },
  );
}

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
