import type { Address } from '../../../solana/address.ts';
import type { PriorityFeeSample, RecentBlockhash } from '../../chain.ts';
import { RecentBlockhashes } from '../../recent-blockhashes.ts';
import type { SlotPrices } from '../blocks/priority-fees.ts';
import type { FromWorker, NetworkStatus, PushedBlockhash } from './protocol.ts';

/** Slots that prices are kept of. */
const KEPT_PRICES = 150;

/** What the network's thread told last, so that the main thread can answer without asking. */
export class ChainMemory {
  status: NetworkStatus;
  readonly #blockhashes = new RecentBlockhashes();
  /** Newest first. */
  readonly #prices: SlotPrices[] = [];

  constructor(status: NetworkStatus, blockhashes: readonly PushedBlockhash[], now: number) {
    this.status = status;
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

  /** See `Chain.recentBlockhash`. */
  blockhash(slotsToExpiry: number): RecentBlockhash {
    return this.#blockhashes.pick(slotsToExpiry, this.status.heights.processed);
  }

  #addPrices(prices: SlotPrices): void {
    this.#prices.unshift(prices);
    if (this.#prices.length > KEPT_PRICES) this.#prices.pop();
  }

  /** See `Chain.recentPriorityFees`. */
  priorityFees(writable: readonly Address[]): PriorityFeeSample[] {
    const samples: PriorityFeeSample[] = [];
    for (const prices of this.#prices) {
      const landed = writable.length === 0 ? prices.lowest : lowestWriting(prices, writable);
      if (landed === null && prices.floor === 0n) continue;
      const microLamports = landed === null || landed < prices.floor ? prices.floor : landed;
      samples.push({ slot: prices.slot, microLamports });
    }
    return samples;
  }
}

/** Null when no transaction wrote any of the accounts. */
function lowestWriting({ byAccount }: SlotPrices, writable: readonly Address[]): bigint | null {
  let lowest: bigint | null = null;
  for (const address of writable) {
    const price = byAccount.get(address);
    if (price !== undefined && (lowest === null || price < lowest)) lowest = price;
  }
  return lowest;
}
