import type { Address } from '../../solana/address.ts';
import type { Trade } from '../trades/trade.ts';
import type { PoolTrade } from './pool-changes.ts';

/** Slots, the first and the last included. */
interface SlotSpan {
  readonly from: bigint;
  readonly to: bigint;
}

/** Which trades of a pool were reported by which source. */
interface ReportedSlots {
  /** The slots whose trades were reported by changes of the pool, the oldest first. */
  readonly spans: SlotSpan[];
  /** The newest slot of a transaction whose trade was reported. */
  transaction: bigint;
  /** The last slot of the spans that are not remembered any more. Trades that are as old may have been reported. */
  forgotten: bigint;
}

/**
 * How far the slot of a change may be from those of its trades: the slot is that of the network when the change was
 * reported, and up to 20 seconds may have passed unseen before. Around a switch, what could be in either source is left out.
 */
export const SLOTS_APART = 64n;
/** How many spans are remembered of a pool. */
const MAX_SPANS = 1_000;
/** How many spans are remembered of all pools, beyond the last one of each: anyone can trade in many pools now and then. */
const MAX_ALL_SPANS = 200_000;

/**
 * Decides which source reports a trade, so that none is reported twice: its transaction, or the change of its pool. Each
 * slot of a pool belongs to the source that reported it first.
 */
export class SourceSwitch {
  readonly #reported = new Map<Address, ReportedSlots>();
  readonly #maxSpans: number;
  #spans = 0;

  constructor(maxSpans = MAX_ALL_SPANS) {
    this.#maxSpans = maxSpans;
  }

  /**
   * Claims the slot of a trade for the transactions of its pool.
   * Whether to report the trade: false if a change of the pool has reported it already, or may have.
   */
  claimForTransaction({ pool, slot }: Pick<Trade, 'pool' | 'slot'>): boolean {
    // Market makers fill without a pool.
    if (pool === null) return true;
    const reported = this.#of(pool);
    const isWithin = ({ from, to }: SlotSpan) => slot >= from - SLOTS_APART && slot <= to + SLOTS_APART;
    if (reported.spans.some(isWithin)) return false;
    if (slot <= reported.forgotten + SLOTS_APART) return false;
    if (slot > reported.transaction) reported.transaction = slot;
    return true;
  }

  /**
   * Claims the slots of a change for the changes of its pool.
   * Whether to report the trade that the change shows: false if a transaction has reported it already, or may have.
   */
  claimForChange({ from, trade: { pool, slot } }: PoolTrade): boolean {
    const reported = this.#of(pool);
    if (reported.transaction >= from - SLOTS_APART) return false;
    const last = reported.spans.at(-1);
    const isJoined = last !== undefined && last.to >= from - SLOTS_APART;
    if (isJoined) reported.spans.pop();
    else this.#spans++;
    reported.spans.push({ from: isJoined ? last.from : from, to: slot });
    if (reported.spans.length > MAX_SPANS || (this.#spans > this.#maxSpans && reported.spans.length > 1)) {
      this.#spans--;
      reported.forgotten = reported.spans.shift()?.to ?? reported.forgotten;
    }
    return true;
  }

  #of(pool: Address): ReportedSlots {
    const known = this.#reported.get(pool);
    if (known !== undefined) return known;
    const reported: ReportedSlots = { spans: [], transaction: -1n, forgotten: -1_000n };
    this.#reported.set(pool, reported);
    return reported;
  }
}
