import { ALREADY_PROCESSED, type Chain } from '../../../chain/chain.ts';
import { formatForError } from '../../../common/format-for-error.ts';
import type { Timers } from '../../../common/ports/timers.ts';
import { Unavailable } from '../../../common/unavailable.ts';
import type { Address } from '../../../solana/address.ts';
import { MessageInvalid } from '../../../solana/messages/message.ts';
import {
  isFullySigned,
  parseTransaction,
  type Transaction,
  TransactionInvalid,
  transactionSignature,
} from '../../../solana/messages/transaction.ts';
import type { Submission, VerificationRequest } from '../../../tokens/verification/requests.ts';
import type { VerificationRequests } from '../../../tokens/verification/requests.ts';
import { searchMessage } from '../../../transactions/submit/message-search.ts';
import {
  isConfirmed,
  isKnown,
  searchAgain,
  type SubmittableTransaction,
} from '../../../transactions/submit/submit-and-confirm.ts';
import { submitAndRead } from '../../../transactions/submit/submit-and-read.ts';
import type { DescribeFailure } from '../../../transactions/transaction-failure.ts';
import { checkEligibility, type EligibilityDependencies } from './eligibility.ts';
import { checkClaim, type PaymentClaim } from './claim.ts';
import type { PaymentAmounts } from './price.ts';
import { VerificationRefused } from './refusal.ts';
import { openSeal } from './seal.ts';

export interface ExecuteDependencies extends EligibilityDependencies {
  readonly chain: Chain;
  readonly timers: Timers;
  readonly describeFailure: DescribeFailure;
  readonly requests: Pick<VerificationRequests, 'find' | 'begin' | 'settle' | 'openFor'>;
  readonly sealKey: Uint8Array;
}

/** A signed payment, and what it pays for. */
export interface ExpressRequest {
  readonly requestId: string;
  /** Base64. */
  readonly transaction: string;
  readonly sender: Address;
  readonly mint: Address;
  readonly submission: Submission;
  readonly claim: PaymentClaim;
}

export type ExpressResult =
  | {
      readonly kind: 'recorded';
      readonly signature: string;
      readonly verificationCreated: boolean;
      readonly metadataCreated: boolean;
    }
  /** The payment did not land, and no request was made. */
  | { readonly kind: 'failed'; readonly signature: string; readonly error: string; readonly code: number };

/** `code` of a payment that did not land, where no program says another. */
const NOT_LANDED = 3_000;

/**
 * Lands a payment and records the request that it pays for. The request is written before the payment is sent, so that
 * a process that ends in between loses nothing: the same request again, or `settlePayments`, finds out what happened.
 *
 * @throws VerificationRefused when the payment is not one of `craftPayment`, has been used, or the token is not eligible
 * @throws Unavailable when the chain or the database does not answer
 */
export async function executeExpress(
  dependencies: ExecuteDependencies,
  request: ExpressRequest,
): Promise<ExpressResult> {
  const { requests } = dependencies;
  const payment = readPayment(dependencies, request);
  const known = await requests.find(payment.signature);
  if (known !== null) return resume(dependencies, request, known, payment);
  const wanted = await eligibleParts(dependencies, request);
  if (wanted.refusal !== null) {
    // The open request may be this one, which another instance has begun in the meantime.
    const begun = await requests.find(payment.signature);
    if (begun !== null) return resume(dependencies, request, begun, payment);
    throw wanted.refusal;
  }
  const failure = await failureAhead(dependencies, payment);
  if (failure !== null) return failure;
  const begun = await requests.begin({
    signature: payment.signature,
    mint: request.mint,
    sender: request.sender,
    currency: payment.currency,
    amount: payment.inAmount,
    submission: wanted.metadata ? request.submission : { ...request.submission, details: null },
    wantsVerification: wanted.verification,
    lastValidBlockHeight: payment.lastValidBlockHeight,
  });
  const recorded = await requests.find(payment.signature);
  if (recorded !== null) return resume(dependencies, request, recorded, payment);
  if (begun)
    throw new Unavailable('the database has lost the request that was just written; nothing was sent');
  throw new VerificationRefused(
    'ELIGIBILITY_CONFLICT',
    'another request for this token was made at the same time',
  );
}

interface SignedPayment extends SubmittableTransaction, PaymentAmounts {}

/** @throws VerificationRefused unless the transaction is what `craftPayment` handed out to the sender, signed */
function readPayment({ sealKey }: ExecuteDependencies, request: ExpressRequest): SignedPayment {
  const { wire, transaction } = parseSigned(request.transaction);
  const { sender } = request;
  const opened = openSeal(sealKey, request.requestId, { sender, messageBytes: transaction.messageBytes });
  if (opened === null) {
    throw new VerificationRefused(
      'INVALID_PAYLOAD',
      `requestId ${formatForError(request.requestId)} was not handed out with this transaction for senderAddress ${sender}; sign the transaction of craft-txn as it is`,
    );
  }
  checkClaim(request.claim, opened);
  if (!isFullySigned(transaction)) {
    throw new VerificationRefused('INVALID_PAYLOAD', `transaction lacks a valid signature of ${sender}`);
  }
  return { wire, signature: transactionSignature(transaction), ...opened };
}

function parseSigned(base64: string): { readonly wire: Uint8Array; readonly transaction: Transaction } {
  const wire = new Uint8Array(Buffer.from(base64, 'base64'));
  try {
    return { wire, transaction: parseTransaction(wire) };
  } catch (error) {
    if (!(error instanceof TransactionInvalid || error instanceof MessageInvalid)) throw error;
    throw new VerificationRefused('INVALID_PAYLOAD', `transaction is no transaction: ${error.message}`);
  }
}

/**
 * Simulates a payment that has not been sent. One that would fail makes no request, so that nobody can keep a token from
 * others with payments that cost nothing.
 *
 * @returns null if the payment would land, or has
 * @throws VerificationRefused when the payment can no longer land
 */
async function failureAhead(
  { chain, timers, describeFailure }: ExecuteDependencies,
  payment: SignedPayment,
): Promise<ExpressResult | null> {
  if (await isKnown(chain, payment.signature)) return null;
  if (chain.blockHeight('confirmed') > payment.lastValidBlockHeight) {
    await requireLanded(chain, timers, payment);
    return null;
  }
  const { error, logs } = await chain.simulate(payment.wire, { verifySignatures: true });
  if (error === null) return null;
  if (error === ALREADY_PROCESSED) {
    // One payment makes one request, by the signature that landed: another one of the sender's must reserve no token.
    if (await isKnown(chain, payment.signature)) return null;
    throw landedOtherwise();
  }
  const { code, message } = describeFailure(error, logs);
  return notLanded(payment.signature, `the payment would fail, and was not sent: ${message}`, code);
}

/**
 * Looks for a payment whose blockhash has expired. A wallet may have sent it by itself, and asks long after.
 *
 * @throws VerificationRefused when it has not landed, or the network does not say so
 */
async function requireLanded(
  chain: Chain,
  timers: Timers,
  { wire, signature, lastValidBlockHeight }: SignedPayment,
): Promise<void> {
  const found = await searchAgain(chain, timers, { signature, lastValidBlockHeight });
  if (isConfirmed(found)) return;
  if (found !== 'denied') throw unknownOutcome();
  const { messageBytes } = parseTransaction(wire);
  const search = await searchMessage(chain, timers, { messageBytes, lastValidBlockHeight });
  if (search.kind === 'landed') throw landedOtherwise();
  if (search.kind !== 'unknown') {
    throw new VerificationRefused(
      'TRANSACTION_EXPIRED',
      'the payment can no longer land, and nothing was paid; ask craft-txn for a new one',
    );
  }
  throw unknownOutcome();
}

function landedOtherwise(): VerificationRefused {
  return new VerificationRefused(
    'EXECUTION_FAILED',
    'the network has this payment by another signature of its sender, or has only just taken it; send the transaction with the signature that landed',
  );
}

function unknownOutcome(): VerificationRefused {
  return new VerificationRefused(
    'EXECUTION_FAILED',
    'the network does not say whether the payment landed; send the same request again',
  );
}

/** Which requests a submission makes. */
interface EligibleParts {
  readonly verification: boolean;
  readonly metadata: boolean;
  /** Null if at least one is made. */
  readonly refusal: VerificationRefused | null;
}

async function eligibleParts(
  dependencies: ExecuteDependencies,
  { mint, submission }: ExpressRequest,
): Promise<EligibleParts> {
  const { tokenExists, verificationError, metadataError } = await checkEligibility(dependencies, mint);
  if (!tokenExists) throw new VerificationRefused('INVALID_TOKEN_ID', `there is no token ${mint}`);
  const { details, twitterHandle, description } = submission;
  // A request for metadata alone comes with an empty handle and an empty description.
  const asksVerification = details === null || twitterHandle !== '' || description !== '';
  const verification = asksVerification && verificationError === null;
  const metadata = details !== null && metadataError === null;
  if (verification || metadata) return { verification, metadata, refusal: null };
  const reasons = [asksVerification ? verificationError : null, details === null ? null : metadataError];
  const text = reasons.filter((reason) => reason !== null).join('; ');
  return { verification, metadata, refusal: new VerificationRefused('ELIGIBILITY_CONFLICT', text) };
}

/** Continues with a request that is written. Only the same request may: a payment pays for one. */
async function resume(
  dependencies: ExecuteDependencies,
  request: ExpressRequest,
  recorded: VerificationRequest,
  payment: SignedPayment,
): Promise<ExpressResult> {
  if (recorded.mint !== request.mint || !sameTexts(recorded.submission, request.submission)) {
    throw new VerificationRefused(
      'ELIGIBILITY_CONFLICT',
      `this payment was made for another request, for the token ${recorded.mint}`,
    );
  }
  if (recorded.state === 'paying') return land(dependencies, recorded, payment);
  if (recorded.state === 'failed') {
    return notLanded(payment.signature, 'the payment did not land; ask craft-txn for a new one');
  }
  return created(recorded);
}

async function land(
  dependencies: ExecuteDependencies,
  recorded: VerificationRequest,
  payment: SignedPayment,
): Promise<ExpressResult> {
  const { requests } = dependencies;
  const outcome = await submitAndRead(dependencies, { ...payment, isPaidByOthers: true });
  if (outcome.signature !== payment.signature) {
    await requests.settle(payment.signature, false);
    throw landedOtherwise();
  }
  switch (outcome.kind) {
    case 'succeeded':
      await requests.settle(payment.signature, true);
      return created(recorded);
    case 'failed':
      await requests.settle(payment.signature, false);
      return notLanded(
        payment.signature,
        `the payment failed: ${outcome.failure.message}`,
        outcome.failure.code,
      );
    case 'expired':
      await requests.settle(payment.signature, false);
      return notLanded(payment.signature, 'the payment did not land in time; ask craft-txn for a new one');
    case 'rejected':
      if (outcome.isFinal) await requests.settle(payment.signature, false);
      return notLanded(payment.signature, `the network refuses the payment: ${outcome.failure.message}`);
    case 'unknown':
      throw unknownOutcome();
  }
}

function created({ signature, wantsVerification, submission }: VerificationRequest): ExpressResult {
  return {
    kind: 'recorded',
    signature,
    verificationCreated: wantsVerification,
    metadataCreated: submission.details !== null,
  };
}

function notLanded(signature: string, error: string, code: number | null = null): ExpressResult {
  return { kind: 'failed', signature, error, code: code ?? NOT_LANDED };
}

/** Details are left out, because a request that could not have metadata is written without them. */
function sameTexts(one: Submission, other: Submission): boolean {
  const textsOf = ({ twitterHandle, senderTwitterHandle, description }: Submission) =>
    JSON.stringify([twitterHandle, senderTwitterHandle, description]);
  const details = (submission: Submission) => JSON.stringify(submission.details);
  return textsOf(one) === textsOf(other) && (one.details === null || details(one) === details(other));
}
