import { U64_MAX } from '../../solana/units.ts';
import type { RouteStep } from '../venue.ts';

/** Where a step stands in the route: what it takes, from where, and where to. */
interface Placement {
  readonly step: RouteStep;
  /** 0 is the route's source; every other index names the token account that some step delivered to. */
  readonly inputIndex: number;
  readonly outputIndex: number;
}

/** A step of the v2 forms. `bps` is its share of all that its input index received; 10,000 is the whole. */
export interface RoutePlanStep extends Placement {
  readonly bps: number;
}

/** A step of the v1 forms. `percent` is its share of all that its input index received; 100 is the whole. */
export interface RoutePlanStepV1 extends Placement {
  readonly percent: number;
}

/** What a number of the instruction data may hold. The program itself judges values inside these bounds. */
export const U8_MAX = 0xff;
export const U16_MAX = 0xffff;

/**
 * Borsh form of `vec<RoutePlanStepV2>`: u32 count, then per step the swap variant, bps u16, input u8, output u8.
 * @throws RangeError when a number does not fit its field.
 */
export function encodeRoutePlan(steps: readonly RoutePlanStep[]): Uint8Array {
  return encodeSteps(steps, 2, (view, at, step) => {
    view.setUint16(at, integer('bps', step.bps, U16_MAX), true);
  });
}

/**
 * Borsh form of `vec<RoutePlanStep>`: u32 count, then per step the swap variant, percent u8, input u8, output u8.
 * @throws RangeError when a number does not fit its field.
 */
export function encodeRoutePlanV1(steps: readonly RoutePlanStepV1[]): Uint8Array {
  return encodeSteps(steps, 1, (view, at, step) => {
    view.setUint8(at, integer('percent', step.percent, U8_MAX));
  });
}

function encodeSteps<Step extends Placement>(
  steps: readonly Step[],
  shareSize: number,
  writeShare: (view: DataView, at: number, step: Step) => void,
): Uint8Array {
  const size = steps.reduce((sum, each) => sum + each.step.swap.length + shareSize + 2, 4);
  const data = new Uint8Array(size);
  const view = new DataView(data.buffer);
  view.setUint32(0, steps.length, true);
  let at = 4;
  for (const step of steps) {
    data.set(step.step.swap, at);
    at += step.step.swap.length;
    writeShare(view, at, step);
    at += shareSize;
    view.setUint8(at++, integer('inputIndex', step.inputIndex, U8_MAX));
    view.setUint8(at++, integer('outputIndex', step.outputIndex, U8_MAX));
  }
  return data;
}

/** @throws RangeError unless `value` is a whole number from 0 to `max`. */
export function integer(name: string, value: number, max: number): number {
  if (!Number.isInteger(value) || value < 0 || value > max) {
    throw new RangeError(`${name} must be a whole number from 0 to ${max}, got ${value}`);
  }
  return value;
}

/** @throws RangeError unless `value` fits a u64. */
export function amount(name: string, value: bigint): bigint {
  if (value < 0n || value > U64_MAX) throw new RangeError(`${name} must be 0 to ${U64_MAX}, got ${value}`);
  return value;
}
