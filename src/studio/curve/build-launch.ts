import { buildDbcCurveFromMarketCaps } from '../../protocols/meteora-dbc/build-config/build-curve.ts';
import { checkDbcParameters } from '../../protocols/meteora-dbc/build-config/config-check.ts';
import type { DbcLaunchTerms } from '../../protocols/meteora-dbc/build-config/launch-terms.ts';
import type { DbcConfigParameters } from '../../protocols/meteora-dbc/program/config-parameters.ts';
import { refuseStudioField } from '../studio-refused.ts';
import { LAUNCH_FIELDS, type LaunchCurvePlan } from './launch-plan.ts';
import { checkRaise, findQuoteToken, toQuoteAtoms } from './quote-tokens.ts';
import { toLaunchTerms } from './launch-terms.ts';

/**
 * Builds the terms of a launch: a fixed supply, half of the fees and of the liquidity for the creator, and a curve that begins and
 * ends at the market capitalisations of the plan.
 *
 * @param random - Returns a number from 0 up to 1.
 * @throws StudioRefused if the plan has no meaning, or raises too little
 *
 * @example
 * ```ts
 * import { chooseFraction } from '../../common/choose-fraction.ts';
 * import { buildLaunchParameters } from './build-launch.ts';
 * import type { LaunchCurvePlan } from './launch-plan.ts';
 *
 * export const readRaise = (plan: LaunchCurvePlan) =>
 *   buildLaunchParameters(plan, chooseFraction).migrationQuoteThreshold;
 * ```
 */
export function buildLaunchParameters(plan: LaunchCurvePlan, random: () => number): DbcConfigParameters {
  const quote = findQuoteToken(plan);
  const caps = {
    initial: toQuoteAtoms(plan.initialMarketCap, quote, LAUNCH_FIELDS.initialMarketCap),
    migration: toQuoteAtoms(plan.migrationMarketCap, quote, LAUNCH_FIELDS.migrationMarketCap),
  };
  if (caps.migration <= caps.initial) {
    const { migrationMarketCap } = LAUNCH_FIELDS;
    refuseStudioField(
      migrationMarketCap,
      `${migrationMarketCap} must be above ${plan.initialMarketCap}, the initial one, got ${plan.migrationMarketCap}`,
    );
  }
  const terms = toLaunchTerms(plan, random);
  const built = buildDbcCurveFromMarketCaps(terms, caps);
  if (!built.ok) return refuseCurve(built.error.message);
  const parameters = withBurnedLeftover(built.parameters, terms.token);
  const checked = checkDbcParameters(parameters);
  if (!checked.ok) return refuseCurve(checked.error.message);
  checkRaise(parameters.migrationQuoteThreshold, quote);
  return parameters;
}

function refuseCurve(reason: string): never {
  refuseStudioField(LAUNCH_FIELDS.curve, `these market caps make no curve: ${reason}`);
}

/** What is left over would otherwise go to the partner, who could sell it. */
function withBurnedLeftover(
  parameters: DbcConfigParameters,
  { totalSupply, leftover }: DbcLaunchTerms['token'],
): DbcConfigParameters {
  const tokenSupply = {
    preMigrationTokenSupply: totalSupply,
    postMigrationTokenSupply: totalSupply - leftover,
  };
  return { ...parameters, tokenSupply };
}
