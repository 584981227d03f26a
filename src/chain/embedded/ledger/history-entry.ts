import type { Address } from '../../../solana/address.ts';
import type { Message } from '../../../solana/messages/message.ts';
import { MEMO_PROGRAM, MEMO_PROGRAM_V1 } from '../../../solana/program-addresses.ts';
import type { HistoryEntry } from '../blocks/history.ts';
import type { LoadedAddresses, TransactionRecord } from '../records/records.ts';

/** What the history keeps of a record, whose encoded form is `encoded`. */
export function historyEntry(record: TransactionRecord, message: Message, encoded: Uint8Array): HistoryEntry {
  const { signature, slot, index, blockTime, error, staticAddresses, loadedAddresses } = record;
  return {
    signature,
    slot,
    index,
    blockTime,
    error,
    memo: memoOf(message),
    addresses: allAddresses(staticAddresses, loadedAddresses),
    encoded,
  };
}

/** Static, then loaded writable, then loaded readonly: the order that indices count in. */
export function allAddresses(statics: readonly Address[], loaded: LoadedAddresses): readonly Address[] {
  if (loaded.writable.length === 0 && loaded.readonly.length === 0) return statics;
  return [...statics, ...loaded.writable, ...loaded.readonly];
}

/** The texts of the memo instructions, each after its length in bytes, as RPC shows them. */
function memoOf({ staticAccounts, instructions }: Message): string | null {
  const memos: string[] = [];
  for (const { programIndex, data } of instructions) {
    const program = staticAccounts[programIndex];
    if (program !== MEMO_PROGRAM && program !== MEMO_PROGRAM_V1) continue;
    memos.push(`[${data.length}] ${textOf(data)}`);
  }
  return memos.length === 0 ? null : memos.join('; ');
}

function textOf(data: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data);
  } catch {
    return '(unparseable)';
  }
}
