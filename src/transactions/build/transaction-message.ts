import type { RecentBlockhash, Chain } from '../../chain/chain.ts';
import type { Address } from '../../solana/address.ts';
import { compileMessage } from '../../solana/messages/compile-message.ts';
import { type Instruction, isSigner, isWritable } from '../../solana/messages/instruction.ts';
import type { LookupTableContents } from '../../solana/messages/message-accounts.ts';
import {
  setComputeUnitLimit,
  setComputeUnitPrice,
  MAX_COMPUTE_UNITS,
} from '../../solana/programs/compute-budget.ts';
import { encodeUnsigned } from '../../solana/messages/transaction.ts';
import type { DescribeFailure, TransactionFailure } from '../transaction-failure.ts';

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

/** Returns the instructions that set the compute budget, which stand first in a transaction. */
export function computeBudgetInstructions({ limit, price }: ComputeBudget): readonly Instruction[] {
  const limited = setComputeUnitLimit(limit);
  return price === null ? [limited] : [limited, setComputeUnitPrice(price)];
}

/**
 * Compiles a message.
 * Returns the bytes to sign.
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

/** Returns every wallet that signs, the fee payer included. */
export function signersOf({ feePayer, instructions }: TransactionContents): ReadonlySet<Address> {
  const signers = new Set([feePayer]);
  for (const { accounts } of instructions) {
    for (const { address, role } of accounts) if (isSigner(role)) signers.add(address);
  }
  return signers;
}

/** Returns the accounts that the instruction writes: those that it competes for with other transactions. */
export function listWritableAccounts({ accounts }: Instruction): readonly Address[] {
  return accounts.filter(({ role }) => isWritable(role)).map(({ address }) => address);
}

export interface SimulationDependencies {
  readonly chain: Pick<Chain, 'simulate'>;
  readonly describeFailure: DescribeFailure;
}

/** What a message would do if it landed now. */
export type SimulatedMessage =
  | { readonly ok: true; readonly unitsConsumed: number }
  | { readonly ok: false; readonly failure: TransactionFailure };

/** The limit is above what a simulation used, because the state may change until the transaction lands. */
const HEADROOM = 1.2;
/** Serial numbers repeat after this many. More orders are never alike while one blockhash is the newest. */
export const SERIALS = 4_096;

/**
 * Simulates a message without its signatures.
 * @throws TransactionInvalid when the message is too large for a transaction
 * @throws ChainUnavailable when the network does not answer
 */
export async function simulateMessage(
  { chain, describeFailure }: SimulationDependencies,
  messageBytes: Uint8Array,
): Promise<SimulatedMessage> {
  const wire = encodeUnsigned(messageBytes);
  const { error, logs, unitsConsumed } = await chain.simulate(wire, { verifySignatures: false });
  if (error === null) return { ok: true, unitsConsumed: Number(unitsConsumed) };
  return { ok: false, failure: describeFailure(error, logs) };
}

/**
 * Computes the compute-unit limit of a transaction: a fifth more than its simulation used.
 * @param unitsConsumed - Compute units that the simulation used.
 * @param serial - Makes the limits of transactions that are otherwise alike differ by some units. Two messages that are the
 *   same make one transaction, so the network would land only one of them, and both callers would take it for theirs.
 */
export function computeUnitLimit(unitsConsumed: number, serial: number | null = null): number {
  const wanted = Math.ceil(unitsConsumed * HEADROOM);
  if (serial === null) return Math.min(MAX_COMPUTE_UNITS, wanted);
  return Math.min(MAX_COMPUTE_UNITS - SERIALS, wanted) + (serial % SERIALS);
}
