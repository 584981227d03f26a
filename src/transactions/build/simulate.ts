import type { Chain } from '../../chain/chain.ts';
import { encodeUnsigned } from '../../solana/messages/transaction.ts';
import { MAX_COMPUTE_UNITS } from '../../solana/programs/compute-budget.ts';
import type { DescribeFailure, TransactionFailure } from '../transaction-failure.ts';

/** What simulating needs. */
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
const SERIALS = 4_096;

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
