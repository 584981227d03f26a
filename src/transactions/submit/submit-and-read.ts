import { type Chain, ChainUnavailable, requireAvailable, type SignatureStatus } from '../../chain/chain.ts';
import type { LandedTransaction } from '../../chain/landed-transactions.ts';
import { type Timers, waitWithin, wait } from '../../common/ports/timers.ts';
import { submitAndConfirm, type SubmittableTransaction } from './submit-and-confirm.ts';
import type { DescribeFailure, TransactionFailure } from '../transaction-failure.ts';

/** The outcome of a signed transaction. */
export type TransactionOutcome =
  | {
      readonly kind: 'succeeded';
      readonly signature: string;
      readonly slot: bigint;
      /** Null when the network did not return the transaction in time. */
      readonly transaction: LandedTransaction | null;
    }
  | {
      readonly kind: 'failed';
      readonly signature: string;
      readonly slot: bigint;
      readonly failure: TransactionFailure;
      /** Null when the network did not return the transaction in time. */
      readonly transaction: LandedTransaction | null;
    }
  /** It did not land, and can no longer land. `height` is the network's when it was submitted. */
  | { readonly kind: 'expired'; readonly signature: string; readonly height: bigint }
  /**
   * The network refuses the transaction. With `isFinal`, every node does; otherwise a more up-to-date node may accept
   * it.
   */
  | {
      readonly kind: 'rejected';
      readonly signature: string;
      readonly isFinal: boolean;
      readonly failure: TransactionFailure;
    }
  /** The network did not report the outcome. */
  | { readonly kind: 'unknown'; readonly signature: string };

export interface SubmissionDependencies {
  readonly chain: Chain;
  readonly timers: Timers;
  readonly describeFailure: DescribeFailure;
}

/**
 * A confirmed transaction can become readable a moment after its status, so it is requested repeatedly for this long.
 */
const MAX_READ_MS = 5_000;
const READ_AGAIN_MS = 200;

/** Returns false when a later attempt may end in another way. */
export function isFinalOutcome(outcome: TransactionOutcome): boolean {
  return outcome.kind === 'rejected' ? outcome.isFinal : outcome.kind !== 'unknown';
}

/**
 * Submits a transaction until it is confirmed or can no longer land, and reads what it did.
 * @param mayBeOut - Whether an earlier attempt, or another instance, may have sent it.
 * @throws ChainUnavailable before anything was sent, while the chain is out of date
 */
export async function submitAndRead(
  { chain, timers, describeFailure }: SubmissionDependencies,
  transaction: SubmittableTransaction,
  mayBeOut = false,
): Promise<TransactionOutcome> {
  requireAvailable(chain);
  const height = chain.blockHeight('confirmed');
  const { signature } = transaction;
  const submitted = await submitAndConfirm(chain, timers, transaction, mayBeOut);
  switch (submitted.kind) {
    case 'landed':
      return readOutcome({ chain, timers, describeFailure }, submitted.signature, submitted.status);
    case 'expired':
      return { kind: 'expired', signature, height };
    case 'rejected': {
      const failure = describeFailure(submitted.error, submitted.logs);
      return { kind: 'rejected', signature, isFinal: submitted.isFinal, failure };
    }
    case 'unknown':
      return { kind: 'unknown', signature };
  }
}

/** Reads what a confirmed transaction did. */
export async function readOutcome(
  { chain, timers, describeFailure }: SubmissionDependencies,
  signature: string,
  { error, slot }: SignatureStatus,
): Promise<Extract<TransactionOutcome, { slot: bigint }>> {
  const transaction = await readLanded(chain, timers, signature);
  if (error === null) return { kind: 'succeeded', signature, slot, transaction };
  const failure = describeFailure(error, transaction?.logs ?? []);
  return { kind: 'failed', signature, slot, failure, transaction };
}

/** Returns null when the network has the transaction's status, but does not return the transaction in time. */
async function readLanded(
  chain: Chain,
  timers: Timers,
  signature: string,
): Promise<LandedTransaction | null> {
  const giveUpAt = timers.now() + MAX_READ_MS;
  for (;;) {
    const read = chain.transaction(signature).catch(toNullIfUnavailable);
    const landed = await waitWithin(read, giveUpAt - timers.now(), timers);
    if (landed) return landed;
    if (timers.now() + READ_AGAIN_MS >= giveUpAt) return null;
    await wait(READ_AGAIN_MS, timers);
  }
}

/** For `catch`: returns null when the network did not answer, and throws any other error again. */
export function toNullIfUnavailable(error: unknown): null {
  if (error instanceof ChainUnavailable) return null;
  throw error;
}
