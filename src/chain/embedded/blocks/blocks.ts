import { maximum } from '../../../solana/units.ts';
import { type Address, toAddress } from '../../../solana/address.ts';
import { ByteWriter } from '../../../solana/codec/byte-writer.ts';
import { sha256 } from '../../../solana/encoding/sha256.ts';
import type { Commitment } from '../../chain.ts';
import { MAX_BLOCKHASH_AGE } from '../../recent-blockhashes.ts';
import { BlockHeaders } from './block-headers.ts';

/** The depth below the tip at which a block is finalized, as on a cluster without forks. */
const FINALIZED_DEPTH = 32n;
/** The maximum lag of reads behind the finalized block, for the `staleReads` fault. */
export const MAX_STALE_SLOTS = 32;
export const SLOTS_PER_EPOCH = 432_000n;
/** The number of entries in the SlotHashes sysvar. */
export const SLOT_HASHES = 512;

/** A completed block. Its hash can be used from the next block on. */
export interface Block {
  readonly slot: bigint;
  readonly parent: bigint;
  /** The number of blocks below it, without skipped slots. */
  readonly height: bigint;
  /** Unix seconds. */
  readonly time: bigint;
  /** The start of its epoch, in Unix seconds. */
  readonly epochStart: bigint;
  readonly hash: Uint8Array;
  readonly blockhash: Address;
  /** The number of transactions up to and including this block. */
  readonly transactionCount: bigint;
}

/** The block that is being filled. */
export interface OpenBlock {
  readonly slot: bigint;
  readonly height: bigint;
  readonly time: bigint;
  readonly epochStart: bigint;
}

/** The state of the chain that is stored, and from which it continues after a restart. */
export interface ChainState {
  /** Oldest first, at least one. The last is the tip. */
  readonly blocks: readonly Block[];
  readonly open: OpenBlock;
}

/** The newest blocks, the slot of each commitment, and the usable blockhashes. */
export class Blocks {
  /** The headers of completed blocks, which are kept for longer than their hashes can be used. */
  readonly headers = new BlockHeaders();
  /** The number of blocks after its own in which a blockhash can be used. */
  readonly blockhashLifetime: bigint;
  /** The number of blocks whose hash and height are kept, for SlotHashes, blockhashes and reads that lag. */
  readonly #maxKept: number;
  /** Oldest first. */
  readonly #blocks: Block[] = [];
  readonly #bySlot = new Map<bigint, Block>();
  readonly #byHash = new Map<string, Block>();
  #open: OpenBlock;
  #confirmed: Block;
  #finalized: Block;
  #settled: Block;

  /** Stored blocks are durable and have no forks, so all of them are finalized. */
  constructor(state: ChainState, blockhashLifetime = MAX_BLOCKHASH_AGE) {
    this.blockhashLifetime = blockhashLifetime;
    this.#maxKept = Math.max(SLOT_HASHES, Number(blockhashLifetime)) + 1;
    for (const block of state.blocks) this.#remember(block);
    this.#confirmed = this.tip;
    this.#finalized = this.tip;
    this.#settled = this.tip;
    this.#open = state.open;
  }

  get open(): OpenBlock {
    return this.#open;
  }

  /** The newest completed block. */
  get tip(): Block {
    const tip = this.#blocks.at(-1);
    if (tip === undefined) throw new RangeError('a chain needs at least its first block');
    return tip;
  }

  get confirmed(): Block {
    return this.#confirmed;
  }

  get finalized(): Block {
    return this.#finalized;
  }

  /** Returns at most `count` blocks, newest first. */
  newest(count: number): readonly Block[] {
    return this.#blocks.slice(-count).reverse();
  }

  state(): ChainState {
    return { blocks: this.#blocks.slice(), open: this.#open };
  }

  /** Returns the block that completes the open one. `advance` then adds it to the chain. */
  ended(transactions: number): Block {
    const hash = hashAfter(this.tip.hash, this.#open.slot);
    return {
      ...this.#open,
      parent: this.tip.slot,
      hash,
      blockhash: toAddress(hash),
      transactionCount: this.tip.transactionCount + BigInt(transactions),
    };
  }

  /** Makes `block` the new tip and opens `open`, a result of `after`. */
  advance(block: Block, open: OpenBlock): void {
    this.#remember(block);
    this.#open = open;
  }

  /** Returns the open block that follows `block`, after `skipped` empty blocks that are not recorded. */
  after(block: Block, now: bigint, skipped = 0n): OpenBlock {
    const slot = block.slot + 1n + skipped;
    const time = maximum(block.time, now);
    const sameEpoch = slot / SLOTS_PER_EPOCH === this.#open.slot / SLOTS_PER_EPOCH;
    return {
      slot,
      height: block.height + 1n + skipped,
      time,
      epochStart: sameEpoch ? this.#open.epochStart : time,
    };
  }

  /** Finalizes all blocks, because those that were read from the disk are durable and have no forks. */
  settle(): void {
    this.#confirmed = this.tip;
    this.#finalized = this.tip;
    this.#settled = this.tip;
  }

  /** The oldest slot at which accounts can be read. */
  get firstReadable(): bigint {
    return this.#settled.slot;
  }

  /** Moves the time of the open block forward. */
  setTime(time: bigint): void {
    this.#open = { ...this.#open, time: maximum(time, this.#open.time) };
  }

  /** Sets the time of the open block, even to a time before earlier blocks. */
  resetTime(time: bigint): void {
    this.#open = { ...this.#open, time };
  }

  confirm(slot: bigint): void {
    const block = this.#bySlot.get(slot);
    if (block !== undefined && slot > this.#confirmed.slot) this.#confirmed = block;
  }

  /** Returns the blocks that became final since the last call, oldest first. */
  finalize(): readonly Block[] {
    const final = this.#blocks.filter(
      (block) =>
        block.slot > this.#finalized.slot &&
        block.slot <= this.#confirmed.slot &&
        block.height + FINALIZED_DEPTH <= this.#open.height,
    );
    this.#finalized = final.at(-1) ?? this.#finalized;
    return final;
  }

  slot(commitment: Commitment): bigint {
    if (commitment === 'processed') return this.#open.slot;
    return (commitment === 'confirmed' ? this.#confirmed : this.#finalized).slot;
  }

  /** Returns the last block at or before `slot`, or null when it is no longer kept. */
  blockAt(slot: bigint): Block | null {
    const exact = this.#bySlot.get(slot);
    if (exact !== undefined) return exact;
    return this.#blocks.findLast((block) => block.slot <= slot) ?? null;
  }

  /** Returns the height as of `slot`, which is the open slot or a completed one. */
  heightAt(slot: bigint): bigint {
    if (slot >= this.#open.slot) return this.#open.height;
    return this.blockAt(slot)?.height ?? 0n;
  }

  /** Returns the newest block whose hash could be used as of `slot`. */
  latestHashAt(slot: bigint): Block {
    return this.blockAt(slot) ?? this.tip;
  }

  /** Returns the blocks whose hashes the open block accepts, oldest first. */
  usable(): readonly Block[] {
    return this.#blocks.filter((block) => this.#open.height <= block.height + this.blockhashLifetime);
  }

  isHashValidAt(blockhash: string, slot: bigint): boolean {
    const block = this.#byHash.get(blockhash);
    if (block === undefined || block.slot > slot) return false;
    return this.heightAt(slot) <= block.height + this.blockhashLifetime;
  }

  /** Returns the last height at which the blockhash can be used, or null when it is not known. */
  lastValidHeight(blockhash: string): bigint | null {
    const block = this.#byHash.get(blockhash);
    return block === undefined ? null : block.height + this.blockhashLifetime;
  }

  /** Returns Unix seconds, or null when no block of that slot is kept. */
  timeOf(slot: bigint): bigint | null {
    return slot === this.#open.slot ? this.#open.time : this.headers.timeOf(slot);
  }

  #remember(block: Block): void {
    this.headers.add(block, this.#transactionsIn(block));
    this.#blocks.push(block);
    this.#bySlot.set(block.slot, block);
    this.#byHash.set(block.blockhash, block);
    if (this.#blocks.length <= this.#maxKept) return;
    const oldest = this.#blocks.shift();
    if (oldest === undefined) return;
    this.#bySlot.delete(oldest.slot);
    this.#byHash.delete(oldest.blockhash);
  }

  /** Blocks store a running total, so the count of the first known block cannot be computed. */
  #transactionsIn({ slot, transactionCount }: Block): number | null {
    const before = slot === 0n ? 0n : this.#blocks.at(-1)?.transactionCount;
    return before === undefined ? null : Number(transactionCount - before);
  }
}

/**
 * Returns the state of a new chain, which depends only on the seed and the time. The first block's hash is the genesis
 * hash.
 */
export function createGenesisChain(seed: string, now: bigint): ChainState {
  const hash = new Uint8Array(sha256(new TextEncoder().encode(`sluice network\0${seed}`)));
  const first: Block = {
    slot: 0n,
    parent: 0n,
    height: 0n,
    time: now,
    epochStart: now,
    hash,
    blockhash: toAddress(hash),
    transactionCount: 0n,
  };
  return { blocks: [first], open: { slot: 1n, height: 1n, time: now, epochStart: now } };
}

/** The hash depends on nothing else, so that replaying a network yields the same hashes. */
function hashAfter(parent: Uint8Array, slot: bigint): Uint8Array {
  return new Uint8Array(sha256(new ByteWriter(40).bytes(parent).u64(slot).finish()));
}
