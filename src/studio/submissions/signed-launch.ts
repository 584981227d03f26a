import { formatForError } from '../../common/format-for-error.ts';
import type { Address } from '../../solana/address.ts';
import {
  getTransactionSignature,
  isSignedBy,
  MAX_TRANSACTION_BYTES,
  readSentTransaction,
  type SentTransaction,
} from '../../solana/messages/transaction.ts';
import { TransactionInvalid } from '../../solana/messages/transaction-invalid.ts';
import type { LaunchKeys } from '../keys/launch-keys.ts';
import { refuseStudioField } from '../studio-refused.ts';

/** A launch that was prepared here, with all its signatures. */
export interface SignedLaunch {
  readonly wire: Uint8Array;
  readonly signature: string;
  readonly blockhash: Address;
  readonly mint: Address;
  readonly config: Address;
  /** The wallet that pays and signs. */
  readonly creator: Address;
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const MAX_BASE64_LENGTH = Math.ceil(MAX_TRANSACTION_BYTES / 3) * 4;
const FIELD = 'transaction';
const NOT_OURS =
  'transaction is not one that create-tx has answered; sign that one as it is, without changing it';

/**
 * Reads a launch that its creator has signed. The configuration's key signs nothing but what was prepared here, so a transaction with
 * its signature is exactly that.
 *
 * @param base64 - As a client sends it.
 * @throws StudioRefused if it is anything else, or lacks a signature
 */
export function readSignedLaunch(base64: string, keys: LaunchKeys): SignedLaunch {
  const { wire, transaction } = parseLaunch(base64);
  const { message } = transaction;
  const [creator, ...others] = message.staticAccounts.slice(0, message.signers);
  const launch = findLaunch(others, keys);
  if (creator === undefined || launch === null) refuseStudioField(FIELD, NOT_OURS);
  for (let index = 1; index < message.signers; index++) {
    if (!isSignedBy(transaction, index)) refuseStudioField(FIELD, NOT_OURS);
  }
  if (!isSignedBy(transaction, 0)) {
    refuseStudioField(FIELD, `transaction lacks a valid signature of its creator, ${creator}`);
  }
  const signature = getTransactionSignature(transaction);
  return { ...launch, wire, signature, blockhash: message.blockhash, creator };
}

function findLaunch(
  signers: readonly Address[],
  keys: LaunchKeys,
): Pick<SignedLaunch, 'mint' | 'config'> | null {
  const [one, other] = signers;
  if (one === undefined || other === undefined || signers.length !== 2) return null;
  if (keys.isStudioLaunch({ mint: one, config: other })) return { mint: one, config: other };
  return keys.isStudioLaunch({ mint: other, config: one }) ? { mint: other, config: one } : null;
}

function parseLaunch(base64: string): SentTransaction {
  if (base64.length > MAX_BASE64_LENGTH) {
    refuseStudioField(
      FIELD,
      `transaction must have at most ${MAX_BASE64_LENGTH} base64 characters, got ${base64.length}`,
    );
  }
  if (base64 === '' || !BASE64.test(base64)) {
    refuseStudioField(FIELD, `transaction must be base64, got ${formatForError(base64)}`);
  }
  try {
    return readSentTransaction(new Uint8Array(Buffer.from(base64, 'base64')));
  } catch (error) {
    if (!(error instanceof TransactionInvalid)) throw error;
    return refuseStudioField(FIELD, `transaction cannot be read: ${error.message}`);
  }
}
