import { Type } from 'typebox';
import { named } from '../../../named-schema.ts';
import { REFUSAL_CODES } from '../../../../swaps/refusals.ts';

export const InstructionJson = named(
  'Instruction',
  Type.Object({
    programId: Type.String(),
    accounts: Type.Array(
      named(
        'InstructionAccount',
        Type.Object({ pubkey: Type.String(), isWritable: Type.Boolean(), isSigner: Type.Boolean() }),
      ),
    ),
    data: Type.String({ description: 'Base64.' }),
  }),
);

export const BlockhashJson = named(
  'BlockhashWithMetadata',
  Type.Object({
    blockhash: Type.Array(Type.Number()),
    lastValidBlockHeight: Type.Number(),
    fetchedAt: Type.Object({ secs_since_epoch: Type.Number(), nanos_since_epoch: Type.Number() }),
  }),
);

const SwapInfo = {
  ammKey: Type.String(),
  label: Type.String(),
  inputMint: Type.String(),
  outputMint: Type.String(),
  inAmount: Type.String(),
  outAmount: Type.String(),
};
const Share = {
  percent: Type.Integer({ description: '`bps` in whole percents; those of one token add up to 100.' }),
  bps: Type.Integer({ description: 'Share of the input token that the step takes; 10000 is the whole.' }),
  usdValue: Type.Optional(Type.Number({ description: 'US dollars that the step takes.' })),
};

export const RoutePlanStepJson = named(
  'RoutePlanStep',
  Type.Object({ swapInfo: Type.Object(SwapInfo), ...Share }),
);

/** Older clients cannot parse a step without its fee. */
export const OrderStepJson = named(
  'OrderRoutePlanStep',
  Type.Object({
    swapInfo: Type.Object({
      ...SwapInfo,
      feeAmount: Type.String({ deprecated: true, description: 'Atoms that the pool keeps.' }),
      feeMint: Type.String({ deprecated: true }),
    }),
    ...Share,
  }),
);

export const ProgramLabels = Type.Record(Type.String(), Type.String());

export const Refusal = named(
  'SwapRefusal',
  Type.Object({
    error: Type.String(),
    details: Type.Optional(
      Type.String({ description: 'What led to the refusal, where `error` is a text that clients compare.' }),
    ),
    errorCode: Type.Optional(
      Type.String({
        enum: [...REFUSAL_CODES],
        description: `The kind of refusal, where it has one: ${REFUSAL_CODES.map((code) => `\`${code}\``).join(', ')}.`,
      }),
    ),
  }),
);

export type BlockhashJson = Type.Static<typeof BlockhashJson>;
export type InstructionJson = Type.Static<typeof InstructionJson>;
export type RoutePlanStepJson = Type.Static<typeof RoutePlanStepJson>;
export type OrderStepJson = Type.Static<typeof OrderStepJson>;
