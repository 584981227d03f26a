import type { Refusal } from './co-signing.ts';
import type { FillEvent, FillState } from './fill-state.ts';

/** From the push of a swap to the maker's signature. */
export const LAST_LOOK_MS = 10_000;

/** Why a swap was given up, for whoever asked for it. */
export interface Reason {
  readonly refused: Refusal;
  readonly reason: string;
}

export const MADE_BEFORE: Reason = { refused: 'known', reason: 'the request was made before' };
export const UNCONNECTED: Reason = { refused: 'rejected', reason: 'the maker is not connected at present' };
export const UNRECORDED: Reason = { refused: 'failed', reason: 'the swap could not be recorded' };
export const INTERRUPTED: Reason = {
  refused: 'expired',
  reason: 'the service stopped while the maker had the swap before it, and no signature came in time',
};

/** What the maker is told of a swap that could not have succeeded with its signature. */
export function uncountedReason(reason: string): string {
  return `${reason}; it is not counted against the maker`;
}

/** What ends a swap and says nothing of its maker. */
export const UNCOUNTED: readonly FillEvent[] = ['unstored', 'withdrawn', 'hopeless', 'abandoned'];

/** For a maker whose signature was there. */
export const WITHHELD = 'the service could not record the swap';

/** The ends of a swap, in words for the maker. */
export const FAILURE_REASONS: Readonly<Partial<Record<FillState, string>>> = {
  confirmed: 'it is confirmed',
  failed: 'the transaction failed or did not land',
  expired: `the maker did not sign within ${LAST_LOOK_MS / 1_000} seconds`,
  rejected: 'the maker returned another message than it was offered',
};
