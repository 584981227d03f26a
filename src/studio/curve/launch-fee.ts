import type { DbcScheduledFee } from '../../protocols/meteora-dbc/build-config/launch-terms.ts';
import { refuseStudioField } from '../studio-refused.ts';
import { LAUNCH_FIELDS, type LaunchFeePlan } from './launch-plan.ts';

/** Where a fee begins against bots: the most that the program allows. */
const ANTI_SNIPING_BPS = 9_900;
/** Where any other fee begins that falls. */
const FALLING_BPS = 5_000;
/** What a fee against bots loses with each step. */
const STEP_BPS = 100;
/** The most seconds of such a step, where the service chooses them. */
const MAX_STEP_SECONDS = 3;

/**
 * Translates what a creator says about the fee: it is the same from the first trade on, or falls to it in some seconds.
 *
 * @param random - Returns a number from 0 up to 1.
 * @throws StudioRefused if it has no meaning
 */
export function toLaunchFee(plan: LaunchFeePlan, random: () => number): DbcScheduledFee {
  const { bps, isAntiSniping, totalDuration } = plan;
  const kind = plan.kind ?? 'linear';
  if (totalDuration === null && !isAntiSniping) {
    const { feeMode } = LAUNCH_FIELDS;
    if (plan.kind !== null) {
      refuseStudioField(feeMode, `${feeMode} must be left out, because nothing says how long the fee falls`);
    }
    return { kind, startingFeeBps: bps, endingFeeBps: bps, numberOfPeriods: 0, totalDuration: 0n };
  }
  const startingFeeBps = isAntiSniping ? ANTI_SNIPING_BPS : FALLING_BPS;
  const steps = (startingFeeBps - bps) / STEP_BPS;
  const periods = totalDuration === null ? chooseSteps(steps, random) : divideDuration(totalDuration, steps);
  return {
    kind,
    startingFeeBps,
    endingFeeBps: bps,
    numberOfPeriods: periods.count,
    totalDuration: BigInt(periods.count * periods.seconds),
  };
}

interface FeePeriods {
  readonly count: number;
  readonly seconds: number;
}

/** Steps of one percent each. */
function chooseSteps(count: number, random: () => number): FeePeriods {
  return { count, seconds: 1 + Math.floor(random() * MAX_STEP_SECONDS) };
}

/** The shortest whole seconds in which at most this many steps fill the duration. */
function divideDuration(duration: number, most: number): FeePeriods {
  let seconds = Math.ceil(duration / most);
  while (duration % seconds !== 0) seconds++;
  return { count: duration / seconds, seconds };
}
