import { type Instruction, isSigner, isWritable } from '../solana/instruction.ts';
import type { InstructionJson } from './schema.ts';

/** The form in which every swap endpoint writes an instruction. */
export function instructionJson({ programAddress, accounts, data }: Instruction): InstructionJson {
  return {
    programId: programAddress,
    accounts: accounts.map(({ address, role }) => ({
      pubkey: address,
      isWritable: isWritable(role),
      isSigner: isSigner(role),
    })),
    data: Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64'),
  };
}
