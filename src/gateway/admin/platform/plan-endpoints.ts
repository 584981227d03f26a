import { INCLUDED_CREDITS } from '../../../platform/plans/credits.ts';
import {
  changePlanLimits,
  KEYLESS_NAMES,
  getKeylessLimits,
  type LimitedName,
  getLimitsInForce,
  NO_CHANGED_LIMITS,
  resetPlanLimits,
} from '../../../platform/plans/plan-limits.ts';
import { PLAN_NAMES } from '../../../platform/plans/plans.ts';
import { unwrapResult } from '../access/unwrap-result.ts';
import { defineAdminEndpoint } from '../endpoint/admin-endpoint.ts';
import * as shape from './platform-schema.ts';
import type { PlatformServices } from './platform-services.ts';

const PLAN = '/admin/v1/plans/:plan';

const list = defineAdminEndpoint({
  method: 'GET',
  path: '/admin/v1/plans',
  right: 'account.read',
  summary: 'The plans and their limits',
  responses: { 200: shape.PlansAnswer },
  handle: async (services: PlatformServices) => {
    const inForce = getKeylessLimits(services.keyless, services.platform.keys.planLimits);
    return {
      keyless: { main: inForce.keyless.main, local: inForce['keyless-local'].main },
      withoutKey: KEYLESS_NAMES.map((name) => toPlanLine(services, name)),
      plans: PLAN_NAMES.map((name) => ({
        ...toPlanLine(services, name),
        includedCredits: INCLUDED_CREDITS[name],
      })),
    };
  },
});

const change = defineAdminEndpoint({
  method: 'PATCH',
  path: PLAN,
  summary: 'Change the limits of a plan, or of callers without a key',
  params: shape.PlanParams,
  body: shape.PlanLimitsBody,
  responses: { 200: shape.PlanLimits },
  handle: async ({ platform, keyless }: PlatformServices, { params, body, actor }) =>
    unwrapResult(await changePlanLimits(platform, actor, keyless, params.plan, body)),
});

const reset = defineAdminEndpoint({
  method: 'DELETE',
  path: PLAN,
  summary: 'Give a plan, or callers without a key, the usual limits again',
  params: shape.PlanParams,
  responses: { 200: shape.PlanLimits },
  handle: async ({ platform, keyless }: PlatformServices, { params, actor }) =>
    unwrapResult(await resetPlanLimits(platform, actor, keyless, params.plan)),
});

/** The plans, and the limits that the operator gives them. */
export const PLAN_ENDPOINTS = [list, change, reset];

function toPlanLine({ platform, keyless }: PlatformServices, name: LimitedName) {
  const changed = platform.keys.planLimits;
  return {
    name,
    ...getLimitsInForce(keyless, changed, name),
    usual: getLimitsInForce(keyless, NO_CHANGED_LIMITS, name),
    changed: changed.has(name),
  };
}
