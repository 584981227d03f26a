import type { CoSigned, Prospects } from './co-signing.ts';
import type { Reason } from './failure-reasons.ts';
import type { FillState } from './fill-state.ts';
import type { FillTerms } from '../liquidity/fill-terms.ts';
import type { OfferedSwap } from '../streams/maker-link.ts';
import type { Claim } from '../books/reservations.ts';

/** A swap that has not come to its end, as settlement, its only writer, keeps it. */
export interface PendingFill {
  state: FillState;
  readonly claim: Claim;
  readonly signature: string;
  readonly offered: OfferedSwap;
  readonly offeredAt: number;
  /** Answers whoever waits for the signature; called once. */
  readonly answer: (answer: CoSigned) => void;
  readonly prospects: Prospects | null;
  stopWaiting: () => void;
  stopWatching: () => void;
  /** Whether the deadline has passed and what it means is being found out. */
  isDue: boolean;
  /** What the maker is told of its end, where that is not what the state says. */
  why: string | null;
  signed: Uint8Array | null;
  /** Resolves when the maker's conduct is written down. */
  counted: Promise<void>;
  /** What whoever waits is told when the swap is given up for another reason than its maker. */
  refusal: Reason;
}

/** What a maker is asked to sign, and until when. */
export interface Look
  extends Pick<PendingFill, 'claim' | 'signature' | 'offeredAt' | 'refusal' | 'prospects'> {
  readonly wire: Uint8Array;
  /** What the end of its time means. */
  readonly atEnd: 'deadline' | 'abandoned';
}

export function claimOf(swapUuid: string, { makerId, base, quote, pays, most }: FillTerms): Claim {
  return { swapUuid, makerId, base, quote, mint: pays, amount: most };
}
