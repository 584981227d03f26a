import { OldestFirst } from '../../common/collections/oldest-first.ts';
import type { InventoryClaim } from '../books/reservations.ts';
import type { FillTerms } from '../../swaps/fill-terms.ts';
import type { OfferedSwap } from '../streams/maker-link.ts';
import type { CoSignResult, FillRefusal, Prospects } from './prospects/co-signing.ts';
import { formatFillEnd } from './fill-results.ts';
import type { FillRecord } from './fill-records.ts';
import type { FillState, RecordedState } from './fill-state.ts';

/** A fill in memory. Only `FillMachine` changes it. */
export interface Fill {
  readonly swapUuid: string;
  readonly makerId: string;
  /** The signature by which the chain knows the transaction: the taker's that was offered, until it landed by another. */
  signature: string;
  state: FillState;
  /** The text that the maker receives if the fill fails; null if it follows from the state. */
  failureText: string | null;
  /** Resolves when the maker's score for this fill is recorded. */
  counted: Promise<void>;
}

/** A fill that waits for its maker or for the chain. */
export interface PendingFill {
  readonly fill: Fill;
  readonly claim: InventoryClaim;
  readonly offered: OfferedSwap;
  /** Unix milliseconds. */
  readonly offeredAt: number;
  /** Called once, with the signed transaction or the reason why there is none. */
  readonly answer: (answer: CoSignResult) => void;
  readonly prospects: Prospects | null;
  cancelDeadline: () => void;
  /** Whether the maker may be pushed the fill, because it would succeed with the maker's signature. */
  mayBePushed: boolean;
  /** What the maker returned. */
  signed: Uint8Array | null;
  /** The refusal of the fill if it is given up for a reason that is not the maker's. */
  refusal: FillRefusal;
}

/** Returns a fill of which this process knows only the record. */
export function createFill(
  { swapUuid, makerId }: Pick<FillRecord, 'swapUuid' | 'makerId'>,
  signature: string,
  state: RecordedState,
): Fill {
  return { swapUuid, makerId, signature, state, failureText: null, counted: Promise.resolve() };
}

/** Returns the claim that a fill makes on its maker's inventory: the maximum that the maker may pay. */
export function toInventoryClaim(
  swapUuid: string,
  { makerId, base, quote, pays, most }: FillTerms,
): InventoryClaim {
  return { swapUuid, makerId, base, quote, mint: pays, amount: most };
}

/** The newest fills that are no longer pending, so that a late submission can be distinguished from one of an unknown fill. */
export class PastFills {
  readonly #max: number;
  readonly #fills = new OldestFirst<string, Fill>();

  constructor(max: number) {
    this.#max = max;
  }

  add(fill: Fill): void {
    // A fill that is added again becomes the newest.
    this.#fills.delete(fill.swapUuid);
    this.#fills.set(fill.swapUuid, fill);
    const oldest = this.#fills.size > this.#max ? this.#fills.oldest() : null;
    if (oldest !== null) this.#fills.delete(oldest[0]);
  }

  delete(swapUuid: string): void {
    this.#fills.delete(swapUuid);
  }

  get(swapUuid: string): Fill | null {
    return this.#fills.get(swapUuid) ?? null;
  }

  /** Returns the sentence for a maker that submits a fill that is not pending. */
  lateSubmission(makerId: string, swapUuid: string): string {
    const fill = this.#fills.get(swapUuid);
    return fill?.makerId === makerId
      ? `the swap ${swapUuid} is over: ${fill.failureText ?? formatFillEnd(fill.state)}`
      : `there is no swap ${swapUuid} of this maker that waits for a signature`;
  }
}
