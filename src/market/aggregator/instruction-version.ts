export const INSTRUCTION_VERSIONS = ['V1', 'V2'] as const;

/** Generation of the aggregator's instructions. */
export type InstructionVersion = (typeof INSTRUCTION_VERSIONS)[number];

/** Basis points. In `V1`, the field of the fee has one byte. */
export const MAX_FEE_BPS: Readonly<Record<InstructionVersion, number>> = { V1: 255, V2: 10_000 };
