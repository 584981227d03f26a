import { type Instruction, isSigner, isWritable } from '../../../../solana/messages/instruction.ts';
import type { InstructionJson } from './schema.ts';

const scratch = Buffer.alloc(1_232);
/** Many instructions have one byte of data. Their base64 text by that byte. */
const textsOfOne = Array.from({ length: 256 }, (_, byte) => Buffer.of(byte).toString('base64'));

/**
 * Maps an instruction to its form in answers.
 * @example
 * ```ts
 * import { setComputeUnitLimit } from '../../../../solana/programs/compute-budget.ts';
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
