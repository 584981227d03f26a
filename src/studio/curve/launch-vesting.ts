import type { DbcLockedTokensPlan } from '../../protocols/meteora-dbc/build-config/launch-terms.ts';
import { refuseStudioField } from '../studio-refused.ts';
import { LAUNCH_DECIMALS, LAUNCH_FIELDS, LAUNCH_SUPPLY, type LaunchVestingPlan } from './launch-plan.ts';

const MAX_LOCKED = LAUNCH_SUPPLY * 0.8;

/**
 * Translates what a creator says about locked tokens. Returns null if none are locked.
 *
 * @throws StudioRefused if it has no meaning
 */
export function toLockedTokens(plan: LaunchVestingPlan): DbcLockedTokensPlan | null {
  checkVesting(plan);
  if (plan.total === 0) return null;
  return {
    total: toAtoms(plan.total),
    cliffUnlock: toAtoms(plan.cliffUnlock),
    numberOfPeriods: BigInt(plan.numberOfPeriods),
    totalDuration: BigInt(plan.totalDuration),
    cliffDuration: BigInt(plan.cliffDuration),
  };
}

function checkVesting(plan: LaunchVestingPlan): void {
  const { vestingTotal, cliffUnlock, numberOfPeriods, vestingDuration, cliffDuration } = LAUNCH_FIELDS;
  checkWhole(plan.total, MAX_LOCKED, vestingTotal);
  checkWhole(plan.cliffUnlock, plan.total, cliffUnlock);
  const rest = plan.total - plan.cliffUnlock;
  if (rest === 0) {
    const reason = plan.total === 0 ? 'no tokens are locked' : 'all locked tokens unlock after the cliff';
    requireNone(plan.numberOfPeriods, numberOfPeriods, reason);
    requireNone(plan.totalDuration, vestingDuration, reason);
    if (plan.total === 0) requireNone(plan.cliffDuration, cliffDuration, reason);
    return;
  }
  const needed = `because ${rest} locked tokens do not unlock after the cliff`;
  if (plan.numberOfPeriods === 0)
    refuseStudioField(numberOfPeriods, `${numberOfPeriods} must be above 0, ${needed}`);
  if (plan.totalDuration === 0) {
    refuseStudioField(vestingDuration, `${vestingDuration} must be above 0, ${needed}`);
  }
  if (rest < plan.numberOfPeriods) {
    refuseStudioField(
      vestingTotal,
      `${vestingTotal} must leave at least a token for each of the ${plan.numberOfPeriods} periods, got ${plan.total}`,
    );
  }
}

function checkWhole(amount: number, most: number, field: string): void {
  if (Number.isInteger(amount) && amount >= 0 && amount <= most) return;
  refuseStudioField(field, `${field} must be a whole number from 0 to ${most}, got ${amount}`);
}

function requireNone(value: number, field: string, reason: string): void {
  if (value !== 0) refuseStudioField(field, `${field} must be 0, because ${reason}, got ${value}`);
}

function toAtoms(whole: number): bigint {
  return BigInt(whole) * 10n ** BigInt(LAUNCH_DECIMALS);
}
