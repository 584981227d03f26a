import type { MonthCredits, PlanLine } from '../../../api/organisations/organisation-shapes.ts';
import { formatWhole } from '../../../base/format-amount.ts';

const LIMITS = [
  ['main', 'Requests'],
  ['execute', 'Executions'],
  ['submit', 'Landings'],
] as const;

/**
 * Says what changes when an organisation gets another plan, a sentence for each.
 *
 * @param credits - The credits of the month; null: they are not counted.
 */
export function listPlanEffects(
  from: PlanLine,
  to: PlanLine,
  credits: Pick<MonthCredits, 'used'> | null,
): readonly string[] {
  const limits = LIMITS.flatMap(([bucket, noun]) =>
    from[bucket] === to[bucket]
      ? []
      : [`${noun} in any 60 seconds: ${formatWhole(to[bucket])} instead of ${formatWhole(from[bucket])}.`],
  );
  const isLower = LIMITS.some(([bucket]) => to[bucket] < from[bucket]);
  const start =
    limits.length === 0
      ? []
      : [
          `This holds from the next request on.${isLower ? ' Whoever sent more in the last 60 seconds is refused until fewer count.' : ''}`,
        ];
  const included =
    from.includedCredits === to.includedCredits
      ? []
      : [
          `Credits of the whole month: ${nameCredits(to.includedCredits)} instead of ${nameCredits(from.includedCredits)}. The plan at the end of a month counts for all of it.`,
        ];
  const overage = credits === null || to.includedCredits === null ? 0 : credits.used - to.includedCredits;
  const over =
    overage > 0
      ? [
          `With the ${formatWhole(credits?.used ?? 0)} credits used so far, ${formatWhole(overage)} would be overage.`,
        ]
      : [];
  return [...limits, ...start, ...included, ...over];
}

function nameCredits(included: number | null): string {
  return included === null ? 'unlimited' : `${formatWhole(included)} included`;
}
