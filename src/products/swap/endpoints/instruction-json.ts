import { Type } from 'typebox';
import { named } from '../../named-schema.ts';
import { type Instruction, isSigner, isWritable } from '../../../solana/messages/instruction.ts';
import type { RecentBlockhash } from '../../../chain/chain.ts';

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

export type BlockhashJson = Type.Static<typeof BlockhashJson>;

export type InstructionJson = Type.Static<typeof InstructionJson>;

const scratch = Buffer.alloc(1_232);
/** Many instructions have one byte of data. Their base64 text by that byte. */
const textsOfOne = Array.from({ length: 256 }, (_, byte) => Buffer.of(byte).toString('base64'));

/**
 * Maps an instruction to its form in answers.
 * @example
 * ```ts
 * import { setComputeUnitLimit } from '../../../solana/programs/compute-budget.ts';
 * import { toInstructionJson } from './instruction-json.ts';
 *
 * console.log(JSON.stringify(toInstructionJson(setComputeUnitLimit(200_000))));
 * ```
 */
export function toInstructionJson({ programAddress, accounts, data }: Instruction): InstructionJson {
  return {
    programId: programAddress,
    accounts: accounts.map(({ address, role }) => ({
      pubkey: address,
      isWritable: isWritable(role),
      isSigner: isSigner(role),
    })),
    data: encodeInstructionData(data),
  };
}

/**
 * Encodes data in base64. Data that fits a transaction is copied first, because creating a view of it would cost
 * more.
 */
export function encodeInstructionData(data: Uint8Array): string {
  if (data.length === 1) return textsOfOne[data[0] ?? 0] ?? '';
  if (data.length > scratch.length) return Buffer.from(data).toString('base64');
  scratch.set(data);
  return scratch.toString('base64', 0, data.length);
}

/** Maps a blockhash to its form in answers with instructions. */
export function toBlockhashJson({ bytes, lastValidBlockHeight, fetchedAt }: RecentBlockhash): BlockhashJson {
  return {
    blockhash: [...bytes],
    lastValidBlockHeight: Number(lastValidBlockHeight),
    fetchedAt: {
      secs_since_epoch: Math.floor(fetchedAt / 1_000),
      nanos_since_epoch: Math.floor((fetchedAt % 1_000) * 1_000_000),
    },
  };
}
