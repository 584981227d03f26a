import type { ByteWriter } from '../../solana/codec/byte-writer.ts';
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

/** Borsh form of `vec<RoutePlanStepV2>`: u32 count, then per step the swap variant, bps u16, input u8, output u8. */
export function writeRoutePlan(to: ByteWriter, steps: readonly RoutePlanStep[]): void {
  to.u32(steps.length);
  for (const { step, bps, inputIndex, outputIndex } of steps) {
    to.bytes(step.swap).u16(bps).u8(inputIndex).u8(outputIndex);
  }
}

/** Borsh form of `vec<RoutePlanStep>`: as `writeRoutePlan`, with percent u8 in place of bps. */
export function writeRoutePlanV1(to: ByteWriter, steps: readonly RoutePlanStepV1[]): void {
  to.u32(steps.length);
  for (const { step, percent, inputIndex, outputIndex } of steps) {
    to.bytes(step.swap).u8(percent).u8(inputIndex).u8(outputIndex);
  }
}
