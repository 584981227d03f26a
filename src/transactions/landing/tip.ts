import type { Address } from '../../solana/address.ts';
import type { CompiledInstruction, Message } from '../../solana/messages/message.ts';
import { SYSTEM_PROGRAM } from '../../solana/program-addresses.ts';
import { findTransferredLamports } from '../../solana/programs/system.ts';

/** Lamports that a transaction pays for being landed. */
export const MIN_TIP_LAMPORTS = 1_000_000n;

const RECEIVER_PLACE = 1;

/** The rules by which tips are recognised. */
export interface TipRules {
  readonly receivers: ReadonlySet<Address>;
  /** Returns all addresses of a lookup table; null if Sluice does not know the table. */
  readonly tableContents: (table: Address) => readonly Address[] | null;
}

/**
 * Finds the largest tip of a transaction: a plain transfer of the System program to one of the receivers, by an
 * instruction of the message itself. Transfers by other programs do not count, because only an execution shows them.
 * Several tips are not added up, so tips that are each below the minimum pay for nothing.
 *
 * Returns lamports, or null if there is no tip. A transfer of 0 lamports is a tip of 0.
 *
 * @example
 * ```ts
 * import type { Address } from '../../solana/address.ts';
 * import { parseTransaction } from '../../solana/messages/transaction.ts';
 * import { findLargestTip, MIN_TIP_LAMPORTS } from './tip.ts';
 *
 * function paysFor(wire: Uint8Array, receivers: ReadonlySet<Address>): boolean {
 *   const { message } = parseTransaction(wire);
 *   const tip = findLargestTip(message, { receivers, tableContents: () => null });
 *   return tip !== null && tip >= MIN_TIP_LAMPORTS;
 * }
 * ```
 */
export function findLargestTip(message: Message, rules: TipRules): bigint | null {
  let largest: bigint | null = null;
  for (const instruction of message.instructions) {
    const tip = findTip(message, instruction, rules);
    if (tip !== null && (largest === null || tip > largest)) largest = tip;
  }
  return largest;
}

function findTip(message: Message, instruction: CompiledInstruction, rules: TipRules): bigint | null {
  const { programIndex, accounts, data } = instruction;
  if (message.staticAccounts[programIndex] !== SYSTEM_PROGRAM) return null;
  const lamports = findTransferredLamports(data);
  const index = accounts[RECEIVER_PLACE];
  if (lamports === null || index === undefined) return null;
  const receiver = addressAt(message, index, rules.tableContents);
  return receiver !== null && rules.receivers.has(receiver) ? lamports : null;
}

/** Returns null if the message looks the account up in a table that is unknown, or at an index that the table lacks. */
function addressAt(
  { staticAccounts, lookups }: Message,
  index: number,
  tableContents: TipRules['tableContents'],
): Address | null {
  let place = index - staticAccounts.length;
  if (place < 0) return staticAccounts[index] ?? null;
  // All looked-up writable accounts come before the readonly ones, which cannot receive anything.
  for (const { table, writable } of lookups) {
    const tableIndex = writable[place];
    if (tableIndex !== undefined) return tableContents(table)?.[tableIndex] ?? null;
    place -= writable.length;
  }
  return null;
}
