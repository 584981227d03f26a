import { LOCKED_WITHOUT_END, toLockedUntilMs } from '../../../protocol/positions/element.ts';
import type { Clock } from '../../../solana/programs/clock.ts';
import { getCurrentPoint } from '../program/activation.ts';
import { ActivationType } from '../program/layout.ts';
import { computeUnlockedLiquidity } from '../program/layout-position.ts';
import type { DammPosition } from './layout.ts';

/** The parts of a position's liquidity by when it can be removed. */
export interface DammLiquidityParts {
  readonly unlocked: bigint;
  readonly vested: bigint;
  /** When the last of the vested part is unlocked, in Unix ms, or `LOCKED_WITHOUT_END` if that is not known. */
  readonly vestedUntil: number;
  readonly permanentlyLocked: bigint;
}

/**
 * Splits a position's liquidity. What is due by the schedule in the position counts as unlocked, because a removal
 * unlocks it first. Schedules in accounts of their own are not read: what they hold counts as vested.
 *
 * @param activationType - The unit of the pool's schedules.
 */
export function splitDammLiquidity(
  { schedule, ...position }: Pick<DammPosition, 'schedule' | 'unlocked' | 'vested' | 'permanentlyLocked'>,
  activationType: number,
  clock: Pick<Clock, 'slot' | 'unixTimestamp'>,
): DammLiquidityParts {
  const due = computeUnlockedLiquidity(schedule, getCurrentPoint(activationType, clock)) - schedule.released;
  let released = due < 0n ? 0n : due;
  if (released > position.vested) released = position.vested;
  const vested = position.vested - released;
  const end = schedule.cliffPoint + schedule.periodFrequency * BigInt(schedule.periods);
  const inSchedule = computeUnlockedLiquidity(schedule, end) - schedule.released - released;
  const isKnown = activationType === ActivationType.TIMESTAMP && vested === inSchedule;
  return {
    unlocked: position.unlocked + released,
    vested,
    vestedUntil: isKnown ? toLockedUntilMs(end) : LOCKED_WITHOUT_END,
    permanentlyLocked: position.permanentlyLocked,
  };
}
