import { parseTransaction, transactionSignature } from '../../solana/messages/transaction.ts';
import type { MakerLink } from '../streams/maker-link.ts';
import type { Refusal } from './co-signing.ts';
import type { FillRecord } from './fill-records.ts';
import type { FillState } from './fill-state.ts';

/** The time from the offer of a fill until the maker's signature must be there. */
export const LAST_LOOK_MS = 10_000;

/** Why a fill is not made, for whoever asked for it. */
export interface Reason {
  readonly refused: Refusal;
  readonly reason: string;
}

const EXPIRED = `the maker did not sign within ${LAST_LOOK_MS / 1_000} seconds`;
const REJECTED = 'the maker returned another message than it was offered';
const FAILED = 'the transaction failed or did not land';

export const MISSED: Reason = { refused: 'expired', reason: EXPIRED };
export const TAMPERED: Reason = { refused: 'rejected', reason: REJECTED };
export const MADE_BEFORE: Reason = { refused: 'known', reason: 'the request was made before' };
export const UNCONNECTED: Reason = { refused: 'rejected', reason: 'the maker is not connected at present' };
export const UNRECORDED: Reason = { refused: 'failed', reason: 'the swap could not be recorded' };
export const INTERRUPTED: Reason = {
  refused: 'expired',
  reason: 'the service stopped while the maker had the swap before it, and no signature came in time',
};

/** What a maker is told whose signature was there. */
export const WITHHELD = 'the service could not record the swap';

/** @returns what the maker is told of a fill that could not have succeeded with its signature */
export function uncountedReason(reason: string): string {
  return `${reason}; it is not counted against the maker`;
}

/** @returns how a fill in this state has ended, in words for its maker */
export function endText(state: FillState): string {
  switch (state) {
    case 'confirmed':
      return 'it is confirmed';
    case 'lost':
    case 'broken':
    case 'failed':
      return FAILED;
    case 'tampered':
    case 'rejected':
      return REJECTED;
    default:
      return EXPIRED;
  }
}

/**
 * Notifies the maker of the result of a fill that it signed, perhaps for the second time. Does nothing for a fill that it
 * did not sign or that has not ended.
 */
export function sendResult(link: MakerLink, { state, makerId, swapUuid, offered, signed }: FillRecord): void {
  if (signed === null || state === 'offered' || state === 'landing') return;
  if (state === 'confirmed') link.confirmed(makerId, swapUuid, signatureOf(offered));
  else link.failed(makerId, swapUuid, endText(state));
}

/** @returns the signature of the taker, by which the chain knows the transaction */
export function signatureOf(offered: Uint8Array): string {
  return transactionSignature(parseTransaction(offered));
}
