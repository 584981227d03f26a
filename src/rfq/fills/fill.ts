import { OldestFirst } from '../../common/collections/oldest-first.ts';
import type { Claim } from '../books/reservations.ts';
import type { FillTerms } from '../liquidity/fill-terms.ts';
import type { OfferedSwap } from '../streams/maker-link.ts';
import type { CoSigned, Prospects } from './co-signing.ts';
import { endText, type Reason } from './fill-results.ts';
import type { FillState } from './fill-state.ts';

/** A fill as settlement, which alone writes to it, keeps it in memory. */
export interface Fill {
  readonly swapUuid: string;
  readonly makerId: string;
  /** The signature by which the chain knows the transaction. */
  readonly signature: string;
  state: FillState;
  /** What the maker is told of the end, where the state does not say it; null otherwise. */
  why: string | null;
  /** Resolves when the maker's conduct is recorded. */
  counted: Promise<void>;
}

/** A fill that waits for its maker or for the chain. */
export interface PendingFill {
  readonly fill: Fill;
  readonly claim: Claim;
  readonly offered: OfferedSwap;
  /** Unix milliseconds. */
  readonly offeredAt: number;
  /** Called once, with the signed transaction or the reason why there is none. */
  readonly answer: (answer: CoSigned) => void;
  readonly prospects: Prospects | null;
  stopWaiting: () => void;
  /** What the maker returned. */
  signed: Uint8Array | null;
  /** The reason that is answered when the fill is given up for another reason than its maker. */
  refusal: Reason;
}

/** The claim that a fill makes on its maker's inventory. */
export function claimOf(swapUuid: string, { makerId, base, quote, pays, most }: FillTerms): Claim {
  return { swapUuid, makerId, base, quote, mint: pays, amount: most };
}

/** The newest fills that no longer wait, so that a late submission can be told from one of a fill that never was. */
export class PastFills {
  readonly #max: number;
  readonly #fills = new OldestFirst<string, Fill>();

  constructor(max: number) {
    this.#max = max;
  }

  add(fill: Fill): void {
    // One that comes back is the newest again.
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

  /** @returns the sentence for a maker that submits a fill for which nobody waits */
  refusal(makerId: string, swapUuid: string): string {
    const fill = this.#fills.get(swapUuid);
    return fill?.makerId === makerId
      ? `the swap ${swapUuid} is over: ${fill.why ?? endText(fill.state)}`
      : `there is no swap ${swapUuid} of this maker that waits for a signature`;
  }
}
