import { formatForError } from '../../../common/format-for-error.ts';
import { Unavailable } from '../../../common/unavailable.ts';
import type { Address } from '../../../solana/address.ts';
import {
  isFullySigned,
  readSentTransaction,
  type SentTransaction,
  getTransactionSignature,
} from '../../../solana/messages/transaction.ts';
import type {
  Beginning,
  VerificationSubmission,
  VerificationRequest,
  VerificationRequests,
} from '../../../tokens/verification/requests.ts';
import { checkEligibility, type EligibilityDependencies } from './eligibility.ts';
import { findFalseClaim, type PaymentClaim } from './claim.ts';
import {
  type ExpressResult,
  type PaymentLandingDependencies,
  landPayment,
  lookAhead,
  type SignedPayment,
} from './land-payment.ts';
import { VerificationRefused } from './refusal.ts';
import { openSeal } from './seal.ts';
import { TransactionInvalid } from '../../../solana/messages/transaction-invalid.ts';

export interface ExpressDependencies extends EligibilityDependencies, PaymentLandingDependencies {
  readonly requests: Pick<VerificationRequests, 'find' | 'begin' | 'reserve' | 'settle' | 'openFor'>;
  readonly sealKey: Uint8Array;
}

/** A signed payment, and what it pays for. */
export interface ExpressRequest {
  readonly requestId: string;
  /** Base64. */
  readonly transaction: string;
  readonly sender: Address;
  readonly mint: Address;
  readonly submission: VerificationSubmission;
  readonly claim: PaymentClaim;
}

/**
 * Lands a payment and records the request that it pays for. The request is written before the payment is sent, so that
 * a process that ends in between loses nothing: the same request again, or `settlePayments`, finds out what happened.
 *
 * @throws VerificationRefused when the payment is not one of `craftPayment`, has been used, or the token is not eligible
 * @throws Unavailable when the chain or the database does not answer
 */
export async function executeExpress(
  dependencies: ExpressDependencies,
  request: ExpressRequest,
): Promise<ExpressResult> {
  const { requests } = dependencies;
  const payment = readPayment(dependencies, request);
  const known = await requests.find(payment.signature);
  if (known !== null) return resume(dependencies, request, known, payment);
  const wanted = await requireEligibleParts(dependencies, request);
  if (wanted.refusal !== null) {
    // The open request may be this one, which another instance has begun in the meantime.
    const begun = await requests.find(payment.signature);
    if (begun !== null) return resume(dependencies, request, begun, payment);
    throw wanted.refusal;
  }
  const ahead = await lookAhead(dependencies, payment);
  if (ahead.kind === 'failed') return ahead;
  const beginning = await begin(dependencies, request, payment, {
    ...wanted,
    isPaid: ahead.kind === 'landed',
  });
  const recorded = await requests.find(payment.signature);
  if (recorded !== null) return resume(dependencies, request, recorded, payment, beginning !== 'begun');
  throw toBeginningError(beginning, request.sender);
}

function toBeginningError(beginning: Beginning, sender: Address): Error {
  switch (beginning) {
    case 'begun':
      return new Unavailable('the database has lost the request that was just written; nothing was sent');
    case 'taken':
      return new VerificationRefused(
        'ELIGIBILITY_CONFLICT',
        'another request for this token was made at the same time',
      );
    case 'not its turn':
      return new VerificationRefused(
        'ELIGIBILITY_CONFLICT',
        `another payment of ${sender} is being sent, and this one was not; send the same request again when that one has landed or expired, after about a minute`,
      );
  }
}

function begin(
  { chain, requests }: ExpressDependencies,
  { mint, sender, submission }: ExpressRequest,
  { signature, currency, inAmount, lastValidBlockHeight }: SignedPayment,
  { verification, metadata, isPaid }: EligibleParts & { readonly isPaid: boolean },
): Promise<Beginning> {
  const request = {
    signature,
    mint,
    sender,
    currency,
    amount: inAmount,
    submission: metadata ? submission : { ...submission, details: null },
    wantsVerification: verification,
    lastValidBlockHeight,
  };
  return requests.begin(request, { isPaid, finalizedHeight: chain.blockHeight('finalized') });
}

/** @throws VerificationRefused unless the transaction is what `craftPayment` handed out to the sender, signed */
function readPayment({ sealKey }: ExpressDependencies, request: ExpressRequest): SignedPayment {
  const { wire, transaction } = readSentPayment(request.transaction);
  const { sender } = request;
  const opened = openSeal(sealKey, request.requestId, { sender, messageBytes: transaction.messageBytes });
  if (opened === null) {
    throw new VerificationRefused(
      'INVALID_PAYLOAD',
      `requestId ${formatForError(request.requestId)} was not handed out with this transaction for senderAddress ${sender}; sign the transaction of craft-txn as it is`,
    );
  }
  const falseClaim = findFalseClaim(request.claim, opened);
  if (falseClaim !== null) {
    const difference = `the payment was crafted for ${falseClaim.crafted}`;
    throw new VerificationRefused('INVALID_PAYLOAD', difference, falseClaim);
  }
  if (!isFullySigned(transaction)) {
    throw new VerificationRefused('INVALID_PAYLOAD', `transaction lacks a valid signature of ${sender}`);
  }
  return { wire, signature: getTransactionSignature(transaction), ...opened };
}

function readSentPayment(base64: string): SentTransaction {
  try {
    return readSentTransaction(new Uint8Array(Buffer.from(base64, 'base64')));
  } catch (error) {
    if (!(error instanceof TransactionInvalid)) throw error;
    throw new VerificationRefused('INVALID_PAYLOAD', `transaction is no transaction: ${error.message}`);
  }
}

/** Which requests a submission makes. */
interface EligibleParts {
  readonly verification: boolean;
  readonly metadata: boolean;
  /** Null if at least one is made. */
  readonly refusal: VerificationRefused | null;
}

async function requireEligibleParts(
  dependencies: ExpressDependencies,
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
  dependencies: ExpressDependencies,
  request: ExpressRequest,
  recorded: VerificationRequest,
  payment: SignedPayment,
  mayBeOut = true,
): Promise<ExpressResult> {
  if (recorded.mint === request.mint && hasSameTexts(recorded.submission, request.submission)) {
    return landPayment(dependencies, recorded, payment, mayBeOut);
  }
  throw new VerificationRefused(
    'ELIGIBILITY_CONFLICT',
    `this payment was made for another request, for the token ${recorded.mint}`,
  );
}

/** Details are left out, because a request that could not have metadata is written without them. */
function hasSameTexts(one: VerificationSubmission, other: VerificationSubmission): boolean {
  const textsOf = ({ twitterHandle, senderTwitterHandle, description }: VerificationSubmission) =>
    JSON.stringify([twitterHandle, senderTwitterHandle, description]);
  const details = (submission: VerificationSubmission) => JSON.stringify(submission.details);
  return textsOf(one) === textsOf(other) && (one.details === null || details(one) === details(other));
}
