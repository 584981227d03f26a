import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import type { PlatformDependencies } from '../../../platform/dependencies.ts';
import { INCLUDED_CREDITS } from '../../../platform/plans/credits.ts';
import {
  changePlanLimits,
  KEYLESS_NAMES,
  getKeylessLimits,
  type KeylessSettings,
  type LimitedName,
  getLimitsInForce,
  NO_CHANGED_LIMITS,
  resetPlanLimits,
} from '../../../platform/plans/plan-limits.ts';
import { PLAN_NAMES } from '../../../platform/plans/plans.ts';
import { actorOf } from '../access/access.ts';
import { unwrapResult } from '../access/unwrap-result.ts';
import * as shape from './platform-schema.ts';
import { createPlatformSchema } from './resource-paths.ts';

const PLAN = '/admin/v1/plans/:plan';

/** Registers the plans, and the limits that the operator gives them. */
export function registerPlans(
  root: FastifyInstance,
  platform: PlatformDependencies,
  keyless: KeylessSettings,
): void {
  const app = root.withTypeProvider<TypeBoxTypeProvider>();
  const lineOf = (name: LimitedName) => {
    const changed = platform.keys.planLimits;
    return {
      name,
      ...getLimitsInForce(keyless, changed, name),
      usual: getLimitsInForce(keyless, NO_CHANGED_LIMITS, name),
      changed: changed.has(name),
    };
  };
  app.get(
    '/admin/v1/plans',
    {
      config: { right: 'account.read' },
      schema: createPlatformSchema('The plans and their limits', { response: { 200: shape.PlansAnswer } }),
    },
    async () => {
      const inForce = getKeylessLimits(keyless, platform.keys.planLimits);
      return {
        keyless: { main: inForce.keyless.main, local: inForce['keyless-local'].main },
        withoutKey: KEYLESS_NAMES.map(lineOf),
        plans: PLAN_NAMES.map((name) => ({ ...lineOf(name), includedCredits: INCLUDED_CREDITS[name] })),
      };
    },
  );
  const params = shape.PlanParams;
  const response = { 200: shape.PlanLimits };
  app.patch(
    PLAN,
    {
      schema: createPlatformSchema('Change the limits of a plan, or of callers without a key', {
        params,
        body: shape.PlanLimitsBody,
        response,
      }),
    },
    async (request) => {
      const { params: of, body } = request;
      return unwrapResult(await changePlanLimits(platform, actorOf(request), keyless, of.plan, body));
    },
  );
  app.delete(
    PLAN,
    {
      schema: createPlatformSchema('Give a plan, or callers without a key, the usual limits again', {
        params,
        response,
      }),
    },
    async (request) =>
      unwrapResult(await resetPlanLimits(platform, actorOf(request), keyless, request.params.plan)),
  );
}
