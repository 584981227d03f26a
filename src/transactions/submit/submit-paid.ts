import { requireAvailable } from '../../chain/chain.ts';
import { simulateCost } from '../cost/simulated-cost.ts';
import type { Attempt, PreparedTransaction } from '../prepared/store.ts';
import type { SubmittableTransaction } from './submit-and-confirm.ts';
import { isKnown } from './transaction-lookup.ts';
import { type SubmissionDependencies, submitAndRead, type TransactionOutcome } from './submit-and-read.ts';

export type PaidOutcome =
  | TransactionOutcome
  /** Nothing was sent: the payer would now pay `lamports`, which is more than the client was shown. */
  | {
      readonly kind: 'too-expensive';
      readonly payer: string;
      readonly lamports: bigint;
      readonly stated: bigint;
    };

/**
 * Submits a transaction that the taker or an integrator's wallet pays for. An integrator's wallet never pays more
 * than the client was shown. A transaction that would fail is sent all the same, as for a taker that pays.
 * @param prepared - The transaction as it was handed out.
 * @param transaction - The prepared message with all signatures.
 * @param attempt - The attempt at executing the transaction; `noteSending` is called right before anything is sent.
 * @param noun - Name of the transaction in errors for clients, such as `swap`.
 * @throws ChainUnavailable before anything was sent, while the chain is out of date
 * @throws ExecutionLost before this attempt has sent anything, when another instance may have answered the request
 */
export async function submitPaid(
  dependencies: SubmissionDependencies,
  prepared: PreparedTransaction,
  transaction: SubmittableTransaction,
  attempt: Attempt,
  noun: string,
): Promise<PaidOutcome> {
  const { chain } = dependencies;
  const { payer, payerLamports } = prepared;
  requireAvailable(chain);
  if (payerLamports === undefined) {
    await attempt.noteSending();
    return submitAndRead(dependencies, transaction, attempt.mayBeOut);
  }
  // A transaction that may have landed costs nothing more, whatever a simulation says.
  if (attempt.mayBeOut || (await isKnown(chain, transaction.signature))) {
    return submitAndRead(dependencies, transaction, attempt.mayBeOut);
  }
  const cost = await simulateCost(chain, transaction.wire, payer, noun);
  if ('lamports' in cost && cost.lamports > payerLamports) {
    await attempt.requireHeld();
    return { kind: 'too-expensive', payer, lamports: cost.lamports, stated: payerLamports };
  }
  await attempt.noteSending();
  return submitAndRead(dependencies, transaction);
}
