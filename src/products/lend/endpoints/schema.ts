import { Type } from 'typebox';
import { named, RefusalJson } from '../../named-schema.ts';

/** Base units, as a text of digits. */
export const amountField = (description: string) => Type.String({ description });

export const LendError = RefusalJson;

export const LendInstructionJson = named(
  'LendInstruction',
  Type.Object({
    programId: Type.String(),
    accounts: Type.Array(
      named(
        'LendInstructionAccount',
        Type.Object({ pubkey: Type.String(), isSigner: Type.Boolean(), isWritable: Type.Boolean() }),
      ),
    ),
    data: Type.String({ description: 'Base64.' }),
  }),
);
export type LendInstructionJson = Type.Static<typeof LendInstructionJson>;
