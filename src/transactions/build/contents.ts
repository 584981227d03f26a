import type { RecentBlockhash } from '../../chain/chain.ts';
import type { Address } from '../../solana/address.ts';
import { compileMessage } from '../../solana/messages/compile-message.ts';
import { type Instruction, isSigner, isWritable } from '../../solana/messages/instruction.ts';
import type { LookupTableContents } from '../../solana/messages/message-accounts.ts';
import { setComputeUnitLimit, setComputeUnitPrice } from '../../solana/programs/compute-budget.ts';

/** What a transaction is made of, without its compute budget and its blockhash. */
export interface TransactionContents {
  readonly feePayer: Address;
  /** All but those of the compute budget, which come first. */
  readonly instructions: readonly Instruction[];
  /** The whole contents of each table that accounts may be looked up in; null if there are none. */
  readonly lookupTables: LookupTableContents | null;
  /** Default 0. A legacy message looks up no accounts. */
  readonly version?: 'legacy' | 0;
}

export interface ComputeBudget {
  /** Compute units that the transaction may use. */
  readonly limit: number;
  /** Micro-lamports per compute unit; null for a transaction without a priority fee. */
  readonly price: bigint | null;
}

/** @returns the instructions that set the compute budget, which stand first in a transaction */
export function computeBudgetInstructions({ limit, price }: ComputeBudget): readonly Instruction[] {
  const limited = setComputeUnitLimit(limit);
  return price === null ? [limited] : [limited, setComputeUnitPrice(price)];
}

/**
 * Compiles a message.
 * @returns the bytes to sign
 * @throws TransactionInvalid when the contents do not make a valid message, for instance with too many accounts
 */
export function compileContents(
  { feePayer, instructions, lookupTables, version = 0 }: TransactionContents,
  budget: ComputeBudget,
  { bytes }: RecentBlockhash,
): Uint8Array {
  return compileMessage({
    feePayer,
    blockhash: bytes,
    instructions: [...computeBudgetInstructions(budget), ...instructions],
    version,
    lookupTables,
  });
}

/** @returns every wallet that signs, the fee payer included */
export function signersOf({ feePayer, instructions }: TransactionContents): ReadonlySet<Address> {
  const signers = new Set([feePayer]);
  for (const { accounts } of instructions) {
    for (const { address, role } of accounts) if (isSigner(role)) signers.add(address);
  }
  return signers;
}

/** @returns the accounts that the instruction writes: those that it competes for with other transactions */
export function listWritableAccounts({ accounts }: Instruction): readonly Address[] {
  return accounts.filter(({ role }) => isWritable(role)).map(({ address }) => address);
}
