import type { Message } from '../../../solana/messages/message.ts';
import { MEMO_PROGRAM, MEMO_PROGRAM_V1 } from '../../../solana/program-addresses.ts';
import type { HistoryEntry } from '../blocks/history.ts';
import { listAllAddresses } from '../../records/landed-transaction.ts';
import type { TransactionRecord } from '../../records/records.ts';

/** Returns the history entry of a record, given its encoded form. */
export function createHistoryEntry(
  record: TransactionRecord,
  message: Message,
  encoded: Uint8Array,
): HistoryEntry {
  const { signature, slot, index, blockTime, error, staticAddresses, loadedAddresses } = record;
  return {
    signature,
    slot,
    index,
    blockTime,
    error,
    memo: formatMemos(message),
    addresses: listAllAddresses(staticAddresses, loadedAddresses),
    encoded,
  };
}

/** Returns the texts of the memo instructions in the form of Solana's RPC, each after its length in bytes. */
function formatMemos({ staticAccounts, instructions }: Message): string | null {
  const memos: string[] = [];
  for (const { programIndex, data } of instructions) {
    const program = staticAccounts[programIndex];
    if (program !== MEMO_PROGRAM && program !== MEMO_PROGRAM_V1) continue;
    memos.push(`[${data.length}] ${decodeMemoText(data)}`);
  }
  return memos.length === 0 ? null : memos.join('; ');
}

function decodeMemoText(data: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data);
  } catch {
    return '(unparseable)';
  }
}
