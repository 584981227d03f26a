import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { describeRule, type Rule } from '../../platform/firewall/rule.ts';
import { changeRule, createRule, deleteRule, listRules } from '../../platform/firewall/rules.ts';
import { givenCondition } from '../../platform/firewall/stored-rule.ts';
import { tryRules } from '../../platform/firewall/try-rules.ts';
import type { PlatformDependencies } from '../../platform/dependencies.ts';
import * as shape from './firewall-schema.ts';
import { actorOf } from './access.ts';
import { routeSchema, TEAMS } from './platform-routes.ts';
import { Deleted, TeamParams } from './platform-schema.ts';
import { granted } from './granted.ts';

const RULES = `${TEAMS}/:team/rules`;

/** The firewall of each team. */
export function registerFirewall(root: FastifyInstance, parts: PlatformDependencies): void {
  const app = root.withTypeProvider<TypeBoxTypeProvider>();
  const params = TeamParams;
  app.get(
    RULES,
    {
      config: { right: 'organisation.read' },
      schema: routeSchema('The firewall rules of a team', { params, response: { 200: shape.RulesAnswer } }),
    },
    async (request) => ({ rules: granted(await listRules(parts, request.params)).map(shownRule) }),
  );
  app.post(
    RULES,
    {
      config: { right: 'rule.write' },
      schema: routeSchema('Add a firewall rule', {
        params,
        body: shape.RuleBody,
        response: { 200: shape.RuleAnswer },
      }),
    },
    async (request) => {
      const { name, ...terms } = request.body;
      return shownRule(
        granted(await createRule(parts, actorOf(request), { ...request.params, rule: name }, terms)),
      );
    },
  );
  app.patch(
    `${RULES}/:rule`,
    {
      config: { right: 'rule.write' },
      schema: routeSchema('Change a firewall rule, or switch it', {
        params: shape.RuleParams,
        body: shape.RuleChangeBody,
        response: { 200: shape.RuleAnswer },
      }),
    },
    async (request) =>
      shownRule(granted(await changeRule(parts, actorOf(request), request.params, request.body))),
  );
  app.delete(
    `${RULES}/:rule`,
    {
      config: { right: 'rule.write' },
      schema: routeSchema('Remove a firewall rule', {
        params: shape.RuleParams,
        response: { 204: Deleted },
      }),
    },
    async (request, reply) => {
      granted(await deleteRule(parts, actorOf(request), request.params));
      return reply.code(204).send(null);
    },
  );
  app.post(
    `${TEAMS}/:team/firewall-test`,
    {
      config: { right: 'organisation.read' },
      schema: routeSchema('What the firewall of a team would do with a request; nothing is counted', {
        params,
        body: shape.TryBody,
        response: { 200: shape.TryAnswer },
      }),
    },
    async (request) => {
      const { path, method = 'GET', key = '', ip = null, country = null, headers = {} } = request.body;
      const tried = { path, method, key, ip, country, headers };
      const { matched, decided } = granted(await tryRules(parts, request.params, tried));
      return { matched: [...matched], decided };
    },
  );
}

function shownRule(rule: Rule) {
  const { name, enabled, groups, action, createdAt } = rule;
  return {
    name,
    enabled,
    expression: describeRule(rule),
    groups: groups.map((group) =>
      group.map((condition) => ({ ...givenCondition(condition), values: [...condition.values] })),
    ),
    action,
    createdAt,
  };
}
