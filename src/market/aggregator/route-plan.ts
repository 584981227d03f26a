import type { Address } from '../../solana/address.ts';
import type { ByteWriter } from '../../solana/codec/byte-writer.ts';
import { type AccountMeta, readonly, writable } from '../../solana/messages/instruction.ts';
import type { RouteStep } from '../../protocol/venue/venue.ts';
import { AGGREGATOR_PROGRAM, EVENT_AUTHORITY } from '../../protocol/venue/aggregator-program.ts';

/** The position of a step in the route: its share, its input and its output. */
interface Placement {
  readonly step: RouteStep;
  /** 0 is the route's source. Every other index is a token account that some step pays into. */
  readonly inputIndex: number;
  readonly outputIndex: number;
}

/** A step of the v2 forms. `bps` is its share of all that its input index received, where 10,000 is the whole. */
export interface RoutePlanStep extends Placement {
  readonly bps: number;
}

/** A step of the v1 forms. `percent` is its share of all that its input index received, where 100 is the whole. */
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

/** An absent optional account is written as the program's own address and read-only, whatever its role would be. */
export function optionalWritable(address: Address | undefined): AccountMeta {
  return address === undefined ? readonly(AGGREGATOR_PROGRAM) : writable(address);
}

export function optionalReadonly(address: Address | undefined): AccountMeta {
  return readonly(address ?? AGGREGATOR_PROGRAM);
}

/** The last two fixed accounts of every route form: through them the program emits its events. */
export const EVENT_ACCOUNTS: readonly AccountMeta[] = [
  readonly(EVENT_AUTHORITY),
  readonly(AGGREGATOR_PROGRAM),
];

export const INSTRUCTION_VERSIONS = ['V1', 'V2'] as const;

/** Generation of the aggregator's instructions. */
export type InstructionVersion = (typeof INSTRUCTION_VERSIONS)[number];

/** Basis points. In `V1`, the field of the fee has one byte. */
export const MAX_FEE_BPS: Readonly<Record<InstructionVersion, number>> = { V1: 255, V2: 10_000 };
