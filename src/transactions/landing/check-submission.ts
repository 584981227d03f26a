import { formatForError } from '../../common/format-for-error.ts';
import type { Message } from '../../solana/messages/message.ts';
import type { Address } from '../../solana/address.ts';
import type { Signature } from '../../solana/messages/signature.ts';
import {
  MAX_TRANSACTION_BYTES,
  readSentTransaction,
  type SentTransaction,
  type Transaction,
  getTransactionSignature,
} from '../../solana/messages/transaction.ts';
import { SYSTEM_PROGRAM } from '../../solana/program-addresses.ts';
import { isAdvanceNonce } from '../../solana/programs/system.ts';
import { findLargestTip, MIN_TIP_LAMPORTS, type TipRules } from './tip.ts';
import { TransactionInvalid } from '../../solana/messages/transaction-invalid.ts';

/** A transaction that may be forwarded: it is complete, and pays the tip if it succeeds. */
export interface CheckedTransaction {
  readonly wire: Uint8Array;
  readonly signature: Signature;
  /** A recent blockhash, or a durable nonce. */
  readonly blockhash: Address;
  /** Whether a durable nonce takes the place of its blockhash, so that it does not expire by itself. */
  readonly isDurable: boolean;
}

/** Why a submitted transaction is refused. */
export type SubmissionProblem = 'unreadable' | 'not-signed' | 'no-tip' | 'small-tip';

export type CheckedSubmission =
  | { readonly ok: true; readonly transaction: CheckedTransaction }
  | { readonly ok: false; readonly error: { readonly code: SubmissionProblem; readonly message: string } };

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const MAX_BASE64_LENGTH = Math.ceil(MAX_TRANSACTION_BYTES / 3) * 4;
/** Clients compare this text, so it must not change. */
const NO_TIP = 'Transaction must include a Jupiter tip instruction';

/** The rules that a submitted transaction is checked against. */
export interface SubmissionRules {
  readonly tips: TipRules;
  readonly isFullySigned: (transaction: Transaction) => Promise<boolean>;
  /**
   * Whether exactly these bytes were checked before and are being landed. Their signatures are not verified again, so that
   * repeats cost little.
   */
  readonly isKnown: (signature: Signature, wire: Uint8Array) => boolean;
}

/**
 * Checks a transaction that a client submits for landing: that it can be read, has all signatures, and tips enough, in
 * this order. Whether it would succeed is not checked.
 */
export async function checkSubmission(
  base64: string,
  { tips, isFullySigned, isKnown }: SubmissionRules,
): Promise<CheckedSubmission> {
  if (base64.length > MAX_BASE64_LENGTH) {
    return problem(
      'unreadable',
      `the transaction must have at most ${MAX_TRANSACTION_BYTES} bytes, which are ${MAX_BASE64_LENGTH} base64 characters, got ${base64.length} characters`,
    );
  }
  if (base64 === '' || !BASE64.test(base64)) {
    return problem('unreadable', `the transaction must be base64, got ${formatForError(base64)}`);
  }
  // A copy, because small buffers share a larger one, which would be kept, and sent to the network's thread, as a whole.
  const sent = parse(new Uint8Array(Buffer.from(base64, 'base64')));
  if (typeof sent === 'string') return problem('unreadable', `the transaction cannot be read: ${sent}`);
  const { wire, transaction: parsed } = sent;
  const unsigned = parsed.signatures.findIndex((signature) => signature.every((byte) => byte === 0));
  if (unsigned >= 0) {
    return problem('not-signed', `${parsed.message.staticAccounts[unsigned]} has not signed the transaction`);
  }
  const signature = getTransactionSignature(parsed);
  const { blockhash } = parsed.message;
  const transaction = { wire, signature, blockhash, isDurable: isDurableNonce(parsed.message) };
  if (isKnown(signature, wire)) return { ok: true, transaction };
  if (!(await isFullySigned(parsed))) {
    return problem('not-signed', 'a signature of the transaction does not verify');
  }
  const tip = findLargestTip(parsed.message, tips);
  if (tip === null) return problem('no-tip', NO_TIP);
  if (tip >= MIN_TIP_LAMPORTS) return { ok: true, transaction };
  return problem(
    'small-tip',
    `the tip must be at least ${MIN_TIP_LAMPORTS} lamports in one transfer, got ${tip}`,
  );
}

/** Returns what is wrong, as a sentence, if the bytes are not a transaction. */
function parse(bytes: Uint8Array): SentTransaction | string {
  try {
    return readSentTransaction(bytes);
  } catch (error) {
    if (error instanceof TransactionInvalid) return error.message;
    throw error;
  }
}

/** Whether a durable nonce takes the place of the blockhash: the first instruction then advances the nonce. */
function isDurableNonce({ instructions: [first], staticAccounts }: Message): boolean {
  if (first === undefined || staticAccounts[first.programIndex] !== SYSTEM_PROGRAM) return false;
  return isAdvanceNonce(first.data);
}

function problem(code: SubmissionProblem, message: string): CheckedSubmission {
  return { ok: false, error: { code, message } };
}
