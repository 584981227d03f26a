import { ALREADY_PROCESSED, type Chain, requireAvailable } from '../../chain/chain.ts';
import { formatForError } from '../../common/format-for-error.ts';
import type { Timers } from '../../common/ports/timers.ts';
import { sha256 } from '../../solana/encoding/sha256.ts';
import type { Message } from '../../solana/messages/message.ts';
import {
  isSignedBy,
  readSentTransaction,
  type SentTransaction,
  getTransactionSignature,
} from '../../solana/messages/transaction.ts';
import type { Attempt, AttemptEnd, PreparedTransaction } from '../prepared/store.ts';
import type { SubmittableTransaction } from '../submit/submit-and-confirm.ts';
import { isKnown } from '../submit/transaction-lookup.ts';
import { isFinalOutcome, submitAndRead, type TransactionOutcome } from '../submit/submit-and-read.ts';
import type { DescribeFailure } from '../transaction-failure.ts';
import type { SignedRuns } from './signed-runs.ts';
import { openMessageSeal, type Purpose } from './seal.ts';
import { TransactionInvalid } from '../../solana/messages/transaction-invalid.ts';

export interface ExecuteSignedDependencies {
  readonly chain: Chain;
  readonly timers: Timers;
  readonly describeFailure: DescribeFailure;
  /** 32 bytes that all instances share, and nobody else knows. */
  readonly sealKey: Uint8Array;
  readonly runs: SignedRuns;
}

/** Codes of failures that are not those of a program, as clients know them from executions of orders. */
export const SignedCode = {
  SUCCESS: 0,
  /** The request id was not handed out with this transaction. */
  MISSING_ORDER: -1,
  /** The text is no transaction. */
  INVALID_SIGNED_TRANSACTION: -2,
  /** It did not land, and cannot land any more. */
  FAILED_TO_LAND: -1_000,
  /** Nobody can say yet whether it landed. */
  UNKNOWN: -1_001,
  /** It would fail, or the network refuses it. */
  INVALID_TRANSACTION: -1_002,
  NOT_FULLY_SIGNED: -1_003,
} as const;

export interface SignedRequest {
  readonly requestId: string;
  /** Base64. */
  readonly signedTransaction: string;
}

export type SignedResult =
  | { readonly kind: 'landed'; readonly signature: string; readonly slot: bigint }
  /** It has no effect, and will have none. `slot` is that in which it failed; null if it is in no block. */
  | {
      readonly kind: 'failed';
      readonly signature: string;
      readonly slot: bigint | null;
      readonly code: number;
      readonly error: string;
    }
  /** The same request again says how it ended. */
  | { readonly kind: 'unknown'; readonly signature: string; readonly error: string }
  /** Nothing was sent. */
  | { readonly kind: 'refused'; readonly code: number; readonly error: string };

/**
 * Lands a transaction that was handed out with a request id. Only that message is accepted, so the gateway never sends what
 * it has not made. The wallet that signs pays for everything; the same request again has the same result. One instance at a
 * time executes it, and one that was stopped before it sent anything does not land what another has said was not sent.
 *
 * @param objectionTo - Called with what has not been sent yet; returns why it must not be sent any more, or null.
 * @throws ChainUnavailable before anything was sent
 * @throws ExecutionLost before anything was sent, when another instance may have answered
 * @throws TooManyExecutions when too many are executed
 */
export async function executeSigned(
  dependencies: ExecuteSignedDependencies,
  purpose: Purpose,
  request: SignedRequest,
  objectionTo: (message: Message) => string | null = () => null,
): Promise<SignedResult> {
  const read = readSigned(dependencies, purpose, request);
  if ('kind' in read) return read;
  return executeVerified(dependencies, purpose, read, objectionTo);
}

/**
 * Lands a transaction whose signatures are verified, for products that recognise by other means what they have made. Otherwise
 * like `executeSigned`.
 */
export function executeVerified(
  dependencies: Omit<ExecuteSignedDependencies, 'sealKey'>,
  purpose: Purpose,
  verified: VerifiedTransaction,
  objectionTo: (message: Message) => string | null = () => null,
): Promise<SignedResult> {
  return dependencies.runs.executeOnce(toPreparedTransaction(purpose, verified), (attempt) =>
    executeAttempt(dependencies, verified, objectionTo, attempt),
  );
}

/** A message has one execution, whichever of its signatures a client sends. */
function toPreparedTransaction(
  purpose: Purpose,
  { message, messageBytes, lastValidBlockHeight }: VerifiedTransaction,
): PreparedTransaction {
  const [wallet] = message.staticAccounts;
  if (wallet === undefined) throw new RangeError('a message has a fee payer');
  const requestId = `${purpose} ${Buffer.from(sha256(messageBytes)).toString('hex')}`;
  return { requestId, messageBytes, lastValidBlockHeight, taker: wallet, payer: wallet };
}

/**
 * What is said to have not been sent is final: the client may make another transaction now, and an instance that reads
 * the request late must not land this one beside it.
 */
async function executeAttempt(
  dependencies: Omit<ExecuteSignedDependencies, 'sealKey'>,
  read: VerifiedTransaction,
  objectionTo: (message: Message) => string | null,
  attempt: Attempt,
): Promise<AttemptEnd<SignedResult>> {
  requireAvailable(dependencies.chain);
  const ahead = attempt.mayBeOut ? null : await simulateAhead(dependencies, read, objectionTo);
  if (ahead !== null) {
    await attempt.requireHeld();
    return ahead;
  }
  await attempt.noteSending();
  const outcome = await submitAndRead(dependencies, read, attempt.mayBeOut);
  return { final: isFinalOutcome(outcome), answer: toSignedResult(outcome) };
}

/** A transaction with a valid signature of each signer. */
export interface VerifiedTransaction extends SubmittableTransaction {
  readonly message: Message;
  readonly messageBytes: Uint8Array;
}

type RefusedTransaction = Extract<SignedResult, { kind: 'refused' }>;

/** Reads the transaction, unless it is not the one that was handed out, with all its signatures. */
function readSigned(
  { sealKey }: ExecuteSignedDependencies,
  purpose: Purpose,
  { requestId, signedTransaction }: SignedRequest,
): VerifiedTransaction | RefusedTransaction {
  const sent = parseSigned(signedTransaction);
  if ('kind' in sent) return sent;
  const { messageBytes } = sent.transaction;
  const lastValidBlockHeight = openMessageSeal(sealKey, purpose, requestId, messageBytes);
  if (lastValidBlockHeight === null) {
    const error = `requestId ${formatForError(requestId)} was not handed out with this transaction; sign the transaction of the answer as it is`;
    return { kind: 'refused', code: SignedCode.MISSING_ORDER, error };
  }
  return verifySigned(sent, lastValidBlockHeight);
}

/** Parses a transaction that a client sends in base64. */
export function parseSigned(signedTransaction: string): SentTransaction | RefusedTransaction {
  const sent = parseSentTransaction(new Uint8Array(Buffer.from(signedTransaction, 'base64')));
  if (typeof sent !== 'string') return sent;
  const error = `signedTransaction must be a transaction in base64: ${sent}`;
  return { kind: 'refused', code: SignedCode.INVALID_SIGNED_TRANSACTION, error };
}

/** Verifies that each signer has signed. */
export function verifySigned(
  { wire, transaction: parsed }: SentTransaction,
  lastValidBlockHeight: bigint,
): VerifiedTransaction | RefusedTransaction {
  const unsigned = parsed.signatures.findIndex((_, index) => !isSignedBy(parsed, index));
  if (unsigned !== -1) {
    const error = `signedTransaction lacks a valid signature of ${parsed.message.staticAccounts[unsigned]}`;
    return { kind: 'refused', code: SignedCode.NOT_FULLY_SIGNED, error };
  }
  const { message, messageBytes } = parsed;
  const signature = getTransactionSignature(parsed);
  return { wire, signature, lastValidBlockHeight, message, messageBytes, isPaidByOthers: true };
}

function parseSentTransaction(bytes: Uint8Array): SentTransaction | string {
  try {
    return readSentTransaction(bytes);
  } catch (error) {
    if (!(error instanceof TransactionInvalid)) throw error;
    return error.message;
  }
}

/**
 * Simulates a transaction that has not been sent. One that would fail is not sent, because the wallet would pay for it.
 *
 * Returns null if it may land, or has landed, or is too old for a simulation to tell. An objection may pass, and each
 * attempt asks for it.
 */
async function simulateAhead(
  { chain, describeFailure }: Pick<ExecuteSignedDependencies, 'chain' | 'describeFailure'>,
  { wire, signature, lastValidBlockHeight, message: signed }: VerifiedTransaction,
  objectionTo: (message: Message) => string | null,
): Promise<AttemptEnd<SignedResult> | null> {
  if (chain.blockHeight('confirmed') > lastValidBlockHeight || (await isKnown(chain, signature))) return null;
  const objection = objectionTo(signed);
  const failed = (what: { readonly code: number; readonly error: string }): SignedResult => ({
    kind: 'failed',
    signature,
    slot: null,
    ...what,
  });
  if (objection !== null) {
    return { final: false, answer: failed({ code: SignedCode.INVALID_TRANSACTION, error: objection }) };
  }
  const { error, logs } = await chain.simulate(wire, { verifySignatures: true });
  if (error === null || error === ALREADY_PROCESSED) return null;
  const { code, message } = describeFailure(error, logs);
  const answer = failed({
    code: code ?? SignedCode.INVALID_TRANSACTION,
    error: `the transaction would fail, and was not sent: ${message}`,
  });
  return { final: true, answer };
}

function toSignedResult(outcome: TransactionOutcome): SignedResult {
  const { signature } = outcome;
  switch (outcome.kind) {
    case 'succeeded':
      return { kind: 'landed', signature, slot: outcome.slot };
    case 'failed': {
      const { slot, failure } = outcome;
      const error = `the transaction failed: ${failure.message}`;
      return { kind: 'failed', signature, slot, code: failure.code ?? SignedCode.INVALID_TRANSACTION, error };
    }
    case 'expired': {
      const error = 'the transaction did not land in time; ask for a new one';
      return { kind: 'failed', signature, slot: null, code: SignedCode.FAILED_TO_LAND, error };
    }
    case 'rejected':
      if (!outcome.isFinal)
        return { kind: 'unknown', signature, error: describeUnknownResult(outcome.failure.message) };
      return {
        kind: 'failed',
        signature,
        slot: null,
        code: SignedCode.INVALID_TRANSACTION,
        error: `the network refuses the transaction: ${outcome.failure.message}`,
      };
    case 'unknown':
      return {
        kind: 'unknown',
        signature,
        error: describeUnknownResult('the network does not say whether it landed'),
      };
  }
}

function describeUnknownResult(reason: string): string {
  return `${reason}; send the same request again`;
}
