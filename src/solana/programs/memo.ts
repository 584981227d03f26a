import type { Address } from '../address.ts';
import { type Instruction, readonlySigner } from '../messages/instruction.ts';
import { MEMO_PROGRAM } from '../program-addresses.ts';

/** Writes `text` to the transaction's log. Each of `signers` has to sign the transaction. */
export function memo(text: string, signers: readonly Address[] = []): Instruction {
  return {
    programAddress: MEMO_PROGRAM,
    accounts: signers.map(readonlySigner),
    data: new TextEncoder().encode(text),
  };
}
