import { ALREADY_PROCESSED, type Chain } from '../../../chain/chain.ts';
import type { Timers } from '../../../common/ports/timers.ts';
import { parseTransaction } from '../../../solana/messages/transaction.ts';
import type { VerificationRequest, VerificationRequests } from '../../../tokens/verification/requests.ts';
import {
  searchByOtherSignatures,
  type SubmissionEnd,
  type SubmittableTransaction,
} from '../../../transactions/submit/submit-and-confirm.ts';
import { isConfirmed, isKnown, searchAgain } from '../../../transactions/submit/transaction-lookup.ts';
import { submitAndRead } from '../../../transactions/submit/submit-and-read.ts';
import type { DescribeFailure } from '../../../transactions/transaction-failure.ts';
import type { PaymentAmounts } from './price.ts';
import { VerificationRefused } from './refusal.ts';

export interface PaymentLandingDependencies {
  readonly chain: Chain;
  readonly timers: Timers;
  readonly describeFailure: DescribeFailure;
  readonly requests: Pick<VerificationRequests, 'reserve' | 'settle'>;
}

export interface SignedPayment extends SubmittableTransaction, PaymentAmounts {}

export type ExpressResult =
  | {
      readonly kind: 'recorded';
      readonly signature: string;
      readonly verificationCreated: boolean;
      readonly metadataCreated: boolean;
    }
  /** The payment did not land, and no request was made. */
  | { readonly kind: 'failed'; readonly signature: string; readonly error: string; readonly code: number };

/** The `code` of a payment that did not land and that no program has given another code. */
const NOT_LANDED = 3_000;

/**
 * Simulates a payment that has not been sent. One that would fail makes no request: what costs nothing must not fill the
 * database.
 *
 * Returns why it would fail; or whether the network has it already, or would take it.
 * @throws VerificationRefused when the payment can no longer land
 */
export async function lookAhead(
  { chain, timers, describeFailure }: PaymentLandingDependencies,
  payment: SignedPayment,
): Promise<{ readonly kind: 'landed' | 'sendable' } | Extract<ExpressResult, { kind: 'failed' }>> {
  if (await isKnown(chain, payment.signature)) return { kind: 'landed' };
  if (chain.blockHeight('confirmed') > payment.lastValidBlockHeight) {
    await requireLanded(chain, timers, payment);
    return { kind: 'landed' };
  }
  const { error, logs } = await chain.simulate(payment.wire, { verifySignatures: true });
  if (error === null) return { kind: 'sendable' };
  if (error === ALREADY_PROCESSED) {
    // A payment makes its request by the signature that landed. Another signature of the sender must not reserve a token.
    if (await isKnown(chain, payment.signature)) return { kind: 'landed' };
    throw createLandedOtherwise();
  }
  const { code, message } = describeFailure(error, logs);
  return toFailedResult(payment.signature, `the payment would fail, and was not sent: ${message}`, code);
}

/**
 * Looks for a payment whose blockhash has expired. A wallet may have sent it by itself, and asks long after.
 *
 * @throws VerificationRefused when it has not landed, or the network does not say so
 */
async function requireLanded(chain: Chain, timers: Timers, payment: SignedPayment): Promise<void> {
  const found = await searchAgain(chain, timers, payment);
  if (isConfirmed(found)) return;
  if (found !== 'denied') throw createUnknownOutcome();
  const end = await searchForEnd(chain, payment);
  if (end.kind === 'landed') throw createLandedOtherwise();
  throw new VerificationRefused(
    'TRANSACTION_EXPIRED',
    'the payment can no longer land, and nothing was paid; ask craft-txn for a new one',
  );
}

/**
 * Looks for a payment by any signature of its sender.
 *
 * @throws VerificationRefused when the network does not say how it ended
 */
async function searchForEnd(
  chain: Chain,
  { wire, lastValidBlockHeight }: SignedPayment,
): Promise<SubmissionEnd> {
  const { messageBytes } = parseTransaction(wire);
  const end = await searchByOtherSignatures(chain, { messageBytes, lastValidBlockHeight });
  if (end === null) throw createUnknownOutcome();
  return end;
}

function createLandedOtherwise(): VerificationRefused {
  return new VerificationRefused(
    'EXECUTION_FAILED',
    'the network has this payment by another signature of its sender, or has only just taken it; send the transaction with the signature that landed',
  );
}

function createUnknownOutcome(): VerificationRefused {
  return new VerificationRefused(
    'EXECUTION_FAILED',
    'the network does not say whether the payment landed; send the same request again',
  );
}

/**
 * Lands the payment of a request that is written, unless it is known how it ended.
 *
 * @param mayBeOut - Whether another attempt wrote the request, and may have sent the payment.
 * @throws VerificationRefused when the payment landed by another signature, or the network does not say
 * @throws Unavailable when the chain or the database does not answer
 */
export async function landPayment(
  dependencies: PaymentLandingDependencies,
  recorded: VerificationRequest,
  payment: SignedPayment,
  mayBeOut: boolean,
): Promise<ExpressResult> {
  if (recorded.state === 'paying') return land(dependencies, recorded, payment, mayBeOut);
  if (recorded.state !== 'failed') return toRecordedResult(recorded);
  await requireNotLandedOtherwise(dependencies, payment);
  return toFailedResult(payment.signature, 'the payment did not land; ask craft-txn for a new one');
}

/**
 * A request is settled by the signature that came with it. Whoever is told for good that a payment did not land pays
 * again, so its message is searched for by any signature.
 */
async function requireNotLandedOtherwise(
  { chain }: PaymentLandingDependencies,
  payment: SignedPayment,
): Promise<void> {
  if (chain.blockHeight('finalized') <= payment.lastValidBlockHeight) return;
  const end = await searchForEnd(chain, payment);
  if (end.kind === 'landed' && end.signature !== payment.signature) throw createLandedOtherwise();
}

async function land(
  dependencies: PaymentLandingDependencies,
  recorded: VerificationRequest,
  payment: SignedPayment,
  mayBeOut: boolean,
): Promise<ExpressResult> {
  const { requests } = dependencies;
  const { signature } = payment;
  const onProcessed = () => requests.reserve(signature);
  const transaction = { ...payment, isPaidByOthers: true, onProcessed };
  const outcome = await submitAndRead(dependencies, transaction, mayBeOut);
  if (outcome.signature !== signature) {
    await requests.settle(signature, false);
    throw createLandedOtherwise();
  }
  switch (outcome.kind) {
    case 'succeeded':
      await requests.settle(signature, true);
      return toRecordedResult(recorded);
    case 'failed':
      await requests.settle(signature, false);
      return toFailedResult(
        signature,
        `the payment failed: ${outcome.failure.message}`,
        outcome.failure.code,
      );
    case 'expired':
      await requests.settle(signature, false);
      return toFailedResult(signature, 'the payment did not land in time; ask craft-txn for a new one');
    case 'rejected':
      if (outcome.isFinal) await requests.settle(signature, false);
      return toFailedResult(signature, `the network refuses the payment: ${outcome.failure.message}`);
    case 'unknown':
      throw createUnknownOutcome();
  }
}

function toRecordedResult({ signature, wantsVerification, submission }: VerificationRequest): ExpressResult {
  return {
    kind: 'recorded',
    signature,
    verificationCreated: wantsVerification,
    metadataCreated: submission.details !== null,
  };
}

function toFailedResult(
  signature: string,
  error: string,
  code: number | null = null,
): Extract<ExpressResult, { kind: 'failed' }> {
  return { kind: 'failed', signature, error, code: code ?? NOT_LANDED };
}
