import type { PlanLine } from '../../../api/organisations/organisation-shapes.ts';
import { formatWhole } from '../../../base/format-amount.ts';

/** What a plan admits and includes, as a sentence. */
export function describePlan({ main, execute, submit, includedCredits }: PlanLine): string {
  const credits =
    includedCredits === null ? 'unlimited credits' : `${formatWhole(includedCredits)} credits in a month`;
  return `${formatWhole(main)} requests, ${formatWhole(execute)} executions and ${formatWhole(submit)} landings in any 60 seconds, and ${credits}.`;
}
