import { Type } from 'typebox';

/** Base units, as a text of digits. */
export const amountField = (description: string) => Type.String({ description });

export const LendError = Type.Object({ error: Type.String() });

export const LendInstructionJson = Type.Object({
  programId: Type.String(),
  accounts: Type.Array(
    Type.Object({ pubkey: Type.String(), isSigner: Type.Boolean(), isWritable: Type.Boolean() }),
  ),
  data: Type.String({ description: 'Base64.' }),
});
export type LendInstructionJson = Type.Static<typeof LendInstructionJson>;
