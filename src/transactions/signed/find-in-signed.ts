import type { Instruction } from '../../solana/messages/instruction.ts';
import { listMessageInstructions } from '../../solana/messages/message.ts';
import { readSentTransaction } from '../../solana/messages/transaction.ts';

/**
 * Finds something in the instructions of a signed transaction without lookup tables. Returns null if no instruction has it.
 *
 * @param signedTransaction - Base64.
 * @param find - Returns null for an instruction without it.
 * @throws TransactionInvalid when the text is no transaction
 */
export function findInSignedTransaction<Found>(
  signedTransaction: string,
  find: (instruction: Instruction) => Found | null,
): Found | null {
  const sent = readSentTransaction(new Uint8Array(Buffer.from(signedTransaction, 'base64')));
  for (const instruction of listMessageInstructions(sent.transaction.message, {
    writable: [],
    readonly: [],
  })) {
    const found = find(instruction);
    if (found !== null) return found;
  }
  return null;
}
