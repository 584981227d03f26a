import { maximum } from '../../../solana/units.ts';
import type { Address } from '../../../solana/address.ts';
import type { PriorityFeeSample, RecentBlockhash } from '../../chain.ts';
import { RecentBlockhashes } from '../../recent-blockhashes.ts';
import type { SlotPrices } from '../blocks/priority-fees.ts';
import type { FromWorker, NetworkStatus, PushedBlockhash } from '../worker/protocol.ts';

/** The number of slots with prices. */
const KEPT_PRICES = 150;

/** The data that the network's thread has pushed, from which the main thread answers synchronous reads. */
export class ChainMemory {
  status: NetworkStatus;
  readonly #blockhashes: RecentBlockhashes;
  /** Newest first. */
  readonly #prices: SlotPrices[] = [];
  /** The minimum price that is reported for all slots, during congestion. */
  #floor = 0n;

  constructor(
    status: NetworkStatus,
    blockhashes: readonly PushedBlockhash[],
    { now, blockhashLifetime }: { readonly now: number; readonly blockhashLifetime: bigint },
  ) {
    this.status = status;
    this.#blockhashes = new RecentBlockhashes(blockhashLifetime);
    for (const blockhash of blockhashes) this.#addBlockhash(blockhash, now);
  }

  handle(message: Extract<FromWorker, { kind: 'status' | 'blockhash' }>, now: number): void {
    this.status = message.status;
    if (message.kind === 'blockhash') this.#addBlockhash(message.blockhash, now);
    else if (message.prices !== null) this.#addPrices(message.prices);
  }

  #addBlockhash(pushed: PushedBlockhash, now: number): void {
    this.#blockhashes.add({ ...pushed, fetchedAt: now }, this.status.heights.processed);
  }

  /** Implements `Chain.lastValidHeightOf`. */
  lastValidHeightOf(blockhash: Address): bigint | null {
    return this.#blockhashes.lastValidHeightOf(blockhash);
  }

  /** Implements `Chain.recentBlockhash`. */
  blockhash(slotsToExpiry: number): RecentBlockhash {
    return this.#blockhashes.pick(slotsToExpiry, this.status.heights.processed);
  }

  #addPrices(prices: SlotPrices): void {
    this.#prices.unshift(prices);
    if (this.#prices.length > KEPT_PRICES) this.#prices.pop();
  }

  /** Called when the congestion of the network has changed, before clients are notified. */
  setFloor(floor: bigint): void {
    this.#floor = floor;
  }

  /** Implements `Chain.recentPriorityFees`. */
  priorityFees(writable: readonly Address[]): PriorityFeeSample[] {
    const samples: PriorityFeeSample[] = [];
    if (this.#floor > 0n && this.#prices.length === 0) {
      return [{ slot: this.status.slots.processed, microLamports: this.#floor }];
    }
    for (const prices of this.#prices) {
      const landed = writable.length === 0 ? prices.lowest : lowestWriting(prices, writable);
      const floor = maximum(prices.floor, this.#floor);
      if (landed === null && floor === 0n) continue;
      const microLamports = landed === null || landed < floor ? floor : landed;
      samples.push({ slot: prices.slot, microLamports });
    }
    return samples;
  }
}

/** Returns null when no transaction wrote any of the accounts. */
function lowestWriting({ byAccount }: SlotPrices, writable: readonly Address[]): bigint | null {
  let lowest: bigint | null = null;
  for (const address of writable) {
    const price = byAccount.get(address);
    if (price !== undefined && (lowest === null || price < lowest)) lowest = price;
  }
  return lowest;
}
