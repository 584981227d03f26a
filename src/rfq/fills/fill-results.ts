import { parseTransaction, getTransactionSignature } from '../../solana/messages/transaction.ts';
import type { MakerLink } from '../streams/maker-link.ts';
import type { FillRefusal } from './prospects/co-signing.ts';
import type { FillRecord } from './fill-records.ts';
import type { FillState } from './fill-state.ts';

/** The time from the offer of a fill until the maker's signature must be there. */
export const LAST_LOOK_MS = 10_000;

const EXPIRED = `the maker did not sign within ${LAST_LOOK_MS / 1_000} seconds`;
const REJECTED = 'the maker returned another message than it was offered';
const FAILED = 'the transaction failed or did not land';

const MISSED: FillRefusal = { refused: 'expired', reason: EXPIRED };
const TAMPERED: FillRefusal = { refused: 'rejected', reason: REJECTED };
export const ALREADY_REQUESTED: FillRefusal = { refused: 'known', reason: 'the request was made before' };
/** The refusal of a fill of which neither the network nor the database says anything. */
export const UNCHECKED: FillRefusal = {
  refused: 'failed',
  reason: 'the network does not say whether the swap would succeed, and the database does not answer',
};
export const UNCONNECTED: FillRefusal = {
  refused: 'rejected',
  reason: 'the maker is not connected now',
};
export const UNRECORDED: FillRefusal = { refused: 'failed', reason: 'the swap could not be recorded' };
export const INTERRUPTED: FillRefusal = {
  refused: 'expired',
  reason: 'the service stopped while the maker had the swap before it, and no signature came in time',
};

/** The text for a maker that signed a fill whose signature could not be recorded. */
export const WITHHELD = 'the service could not record the swap';

/** Returns the text for the maker of a fill that could not have succeeded even with its signature. */
export function formatUncountedReason(reason: string): string {
  return `${reason}; it is not counted against the maker`;
}

/** Returns why a fill in this state was not executed; `otherwise` if the state does not say it. */
export function toFillRefusal(state: FillState, otherwise: FillRefusal): FillRefusal {
  switch (state) {
    case 'missed':
      return MISSED;
    case 'tampered':
      return TAMPERED;
    default:
      return otherwise;
  }
}

/** Returns how a fill in this state has ended, as text for its maker. */
export function formatFillEnd(state: FillState): string {
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
 * Notifies the maker of the result of a fill that it signed. The maker may get the same result twice. Does nothing for a
 * fill that the maker did not sign, or that has not ended.
 */
export function sendResult(link: MakerLink, record: FillRecord): void {
  const { state, makerId, swapUuid, offered, signed, answer } = record;
  if (signed === null || state === 'offered' || state === 'landing') return;
  if (state !== 'confirmed') {
    link.failed(makerId, swapUuid, formatFillEnd(state));
    return;
  }
  // The signature on the chain is not the offered one if the taker has signed again.
  link.confirmed(makerId, swapUuid, answer?.signature ?? parseOfferedSignature(offered));
}

/**
 * @param offered - The transaction as it was offered to the maker.
 * @returns the signature of the taker, which identifies the transaction on chain
 */
export function parseOfferedSignature(offered: Uint8Array): string {
  return getTransactionSignature(parseTransaction(offered));
}
