import type { Address } from '../../solana/address.ts';
import type { Trade } from '../trade.ts';
import type { PoolTrade } from './pool-changes.ts';

/** Slots, the first and the last included. */
interface Span {
  readonly from: bigint;
  readonly to: bigint;
}

interface Told {
  /** The slots whose trades were told by changes of the pool, the oldest first. */
  readonly spans: Span[];
  /** The newest slot of a transaction with a trade that was told. */
  transaction: bigint;
  /** The last slot of the spans that are not remembered any more. What is as old may have been told. */
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
 * Decides which source tells of a trade, so that none is told twice: its transaction, or the change of its pool. Of every
 * pool, each slot belongs to the source that reported it first.
 */
export class SourceSwitch {
  readonly #told = new Map<Address, Told>();
  readonly #maxSpans: number;
  #spans = 0;

  constructor(maxSpans = MAX_ALL_SPANS) {
    this.#maxSpans = maxSpans;
  }

  /** @returns whether to report a trade of a transaction: false if a change of its pool has reported it already */
  takesTransaction({ pool, slot }: Pick<Trade, 'pool' | 'slot'>): boolean {
    // Market makers fill without a pool.
    if (pool === null) return true;
    const told = this.#of(pool);
    const isWithin = ({ from, to }: Span) => slot >= from - SLOTS_APART && slot <= to + SLOTS_APART;
    if (told.spans.some(isWithin)) return false;
    if (slot <= told.forgotten + SLOTS_APART) return false;
    if (slot > told.transaction) told.transaction = slot;
    return true;
  }

  /** @returns whether a change is to be told as a trade: not if a transaction in it was told */
  takesChange({ from, trade: { pool, slot } }: PoolTrade): boolean {
    const told = this.#of(pool);
    if (told.transaction >= from - SLOTS_APART) return false;
    const last = told.spans.at(-1);
    const isJoined = last !== undefined && last.to >= from - SLOTS_APART;
    if (isJoined) told.spans.pop();
    else this.#spans++;
    told.spans.push({ from: isJoined ? last.from : from, to: slot });
    if (told.spans.length > MAX_SPANS || (this.#spans > this.#maxSpans && told.spans.length > 1)) {
      this.#spans--;
      told.forgotten = told.spans.shift()?.to ?? told.forgotten;
    }
    return true;
  }

  #of(pool: Address): Told {
    const known = this.#told.get(pool);
    if (known !== undefined) return known;
    const told: Told = { spans: [], transaction: -1n, forgotten: -1_000n };
    this.#told.set(pool, told);
    return told;
  }
}
