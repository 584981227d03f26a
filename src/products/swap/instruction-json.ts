import { type Instruction, isSigner, isWritable } from '../../solana/messages/instruction.ts';
import type { InstructionJson } from './schema.ts';

const scratch = Buffer.alloc(1_232);
/** By the one byte that makes up the data of many instructions. */
const textsOfOne = Array.from({ length: 256 }, (_, byte) => Buffer.of(byte).toString('base64'));

/** The form in which every swap endpoint writes an instruction. */
export function instructionJson({ programAddress, accounts, data }: Instruction): InstructionJson {
  return {
    programId: programAddress,
    accounts: accounts.map(({ address, role }) => ({
      pubkey: address,
      isWritable: isWritable(role),
      isSigner: isSigner(role),
    })),
    data: dataText(data),
  };
}

/** Base64. Data that fits a transaction is copied first: a view of short data would cost more than the text. */
export function dataText(data: Uint8Array): string {
  if (data.length === 1) return textsOfOne[data[0] ?? 0] ?? '';
  if (data.length > scratch.length) return Buffer.from(data).toString('base64');
  scratch.set(data);
  return scratch.toString('base64', 0, data.length);
}
