import { type Address, addressFromBytes } from '../../../solana/address.ts';
import { ByteWriter } from '../../../solana/codec/byte-writer.ts';
import { sha256 } from '../../../solana/encoding/sha256.ts';
import type { Commitment } from '../../chain.ts';
import { MAX_BLOCKHASH_AGE } from '../../recent-blockhashes.ts';
import { BlockHeaders } from './block-headers.ts';

/** How many blocks below the tip a block is when it is finalized, as on a cluster without forks. */
const FINALIZED_DEPTH = 32n;
/** How far behind the finalized block reads can be made to lag. */
export const MAX_STALE_SLOTS = 32;
export const SLOTS_PER_EPOCH = 432_000n;
/** What the SlotHashes sysvar holds. */
export const SLOT_HASHES = 512;

/** Blocks of which the hash and height are kept: for SlotHashes, and for reads that lag behind the expiry window. */
const KEPT_BLOCKS = SLOT_HASHES + 1;

/** A block that ended. Its hash can be used from the next block on. */
export interface Block {
  readonly slot: bigint;
  readonly parent: bigint;
  /** Blocks below it; skipped slots do not count. */
  readonly height: bigint;
  /** Unix seconds. */
  readonly time: bigint;
  /** When its epoch began, unix seconds. */
  readonly epochStart: bigint;
  readonly hash: Uint8Array;
  readonly blockhash: Address;
  /** Transactions up to and with this block. */
  readonly transactionCount: bigint;
}

/** The block that is being filled. */
export interface OpenBlock {
  readonly slot: bigint;
  readonly height: bigint;
  readonly time: bigint;
  readonly epochStart: bigint;
}

/** Everything that has to be kept to go on from a block. */
export interface ChainState {
  /** Oldest first, at least one; the last is the tip. */
  readonly blocks: readonly Block[];
  readonly open: OpenBlock;
}

/** Where the slots of each commitment stand, and the blockhashes that may be used. */
export class Blocks {
  /** Of the blocks that ended, for longer than their hashes are good for. */
  readonly headers = new BlockHeaders();
  /** Oldest first. */
  readonly #blocks: Block[] = [];
  readonly #bySlot = new Map<bigint, Block>();
  readonly #byHash = new Map<string, Block>();
  #open: OpenBlock;
  #confirmed: Block;
  #finalized: Block;
  #settled: Block;

  /** What was kept is durable and has no rival, so all of it counts as finalized. */
  constructor(state: ChainState) {
    for (const block of state.blocks) this.#remember(block);
    this.#confirmed = this.tip;
    this.#finalized = this.tip;
    this.#settled = this.tip;
    this.#open = state.open;
  }

  get open(): OpenBlock {
    return this.#open;
  }

  /** The newest block that ended. */
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

  /** Newest first, at most `count`. */
  newest(count: number): readonly Block[] {
    return this.#blocks.slice(-count).reverse();
  }

  state(): ChainState {
    return { blocks: this.#blocks.slice(), open: this.#open };
  }

  /** The block that ends the open one, without changing anything: it becomes part of the chain by `advance`. */
  ended(transactions: number): Block {
    const hash = hashAfter(this.tip.hash, this.#open.slot);
    return {
      ...this.#open,
      parent: this.tip.slot,
      hash,
      blockhash: addressFromBytes(hash),
      transactionCount: this.tip.transactionCount + BigInt(transactions),
    };
  }

  /** Takes `block` as the new tip and begins `open`, which `after` made. */
  advance(block: Block, open: OpenBlock): void {
    this.#remember(block);
    this.#open = open;
  }

  /** The open block that follows `block`, after `skipped` further blocks, all empty, that nobody saw. */
  after(block: Block, now: bigint, skipped = 0n): OpenBlock {
    const slot = block.slot + 1n + skipped;
    const time = max(block.time, now);
    const sameEpoch = slot / SLOTS_PER_EPOCH === this.#open.slot / SLOTS_PER_EPOCH;
    return {
      slot,
      height: block.height + 1n + skipped,
      time,
      epochStart: sameEpoch ? this.#open.epochStart : time,
    };
  }

  /** Takes all blocks so far as final: what was read from the disk is durable and has no rival. */
  settle(): void {
    this.#confirmed = this.tip;
    this.#finalized = this.tip;
    this.#settled = this.tip;
  }

  /** The oldest slot that reads can lag to: before it, nothing is known of what accounts were. */
  get firstReadable(): bigint {
    return this.#settled.slot;
  }

  /** Moves the time of the open block forward. */
  setTime(time: bigint): void {
    this.#open = { ...this.#open, time: max(time, this.#open.time) };
  }

  /** Sets the time of the open block, also to before that of earlier ones. */
  resetTime(time: bigint): void {
    this.#open = { ...this.#open, time };
  }

  confirm(slot: bigint): void {
    const block = this.#bySlot.get(slot);
    if (block !== undefined && slot > this.#confirmed.slot) this.#confirmed = block;
  }

  /** Blocks that became final since the last call, oldest first. */
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

  /** The last block at or before `slot`; null when that is no longer kept. */
  blockAt(slot: bigint): Block | null {
    const exact = this.#bySlot.get(slot);
    if (exact !== undefined) return exact;
    return this.#blocks.findLast((block) => block.slot <= slot) ?? null;
  }

  /** Height as it was seen at `slot`, which is the open slot or one that ended. */
  heightAt(slot: bigint): bigint {
    if (slot >= this.#open.slot) return this.#open.height;
    return this.blockAt(slot)?.height ?? 0n;
  }

  /** The newest block whose hash could be used as of `slot`. */
  latestHashAt(slot: bigint): Block {
    return this.blockAt(slot) ?? this.tip;
  }

  /** Blocks whose hash the open block takes, oldest first. */
  usable(): readonly Block[] {
    return this.#blocks.filter((block) => this.#open.height <= block.height + MAX_BLOCKHASH_AGE);
  }

  isHashValidAt(blockhash: string, slot: bigint): boolean {
    const block = this.#byHash.get(blockhash);
    if (block === undefined || block.slot > slot) return false;
    return this.heightAt(slot) <= block.height + MAX_BLOCKHASH_AGE;
  }

  /** The last height at which the blockhash can be used; null when it is not known. */
  lastValidHeight(blockhash: string): bigint | null {
    const block = this.#byHash.get(blockhash);
    return block === undefined ? null : block.height + MAX_BLOCKHASH_AGE;
  }

  /** Unix seconds; null when no block of that slot is kept. */
  timeOf(slot: bigint): bigint | null {
    return slot === this.#open.slot ? this.#open.time : this.headers.timeOf(slot);
  }

  #remember(block: Block): void {
    this.headers.add(block, this.#transactionsIn(block));
    this.#blocks.push(block);
    this.#bySlot.set(block.slot, block);
    this.#byHash.set(block.blockhash, block);
    if (this.#blocks.length <= KEPT_BLOCKS) return;
    const oldest = this.#blocks.shift();
    if (oldest === undefined) return;
    this.#bySlot.delete(oldest.slot);
    this.#byHash.delete(oldest.blockhash);
  }

  /** Blocks count from the chain's beginning, so that the first which is known tells nothing of itself. */
  #transactionsIn({ slot, transactionCount }: Block): number | null {
    const before = slot === 0n ? 0n : this.#blocks.at(-1)?.transactionCount;
    return before === undefined ? null : Number(transactionCount - before);
  }
}

/** The chain's beginning, which only the seed and the time decide. The first block's hash is the genesis hash. */
export function genesisChain(seed: string, now: bigint): ChainState {
  const hash = new Uint8Array(sha256(new TextEncoder().encode(`sluice network\0${seed}`)));
  const first: Block = {
    slot: 0n,
    parent: 0n,
    height: 0n,
    time: now,
    epochStart: now,
    hash,
    blockhash: addressFromBytes(hash),
    transactionCount: 0n,
  };
  return { blocks: [first], open: { slot: 1n, height: 1n, time: now, epochStart: now } };
}

/** Depends on nothing else, so that a network that is replayed hands out the same hashes. */
function hashAfter(parent: Uint8Array, slot: bigint): Uint8Array {
  return new Uint8Array(sha256(new ByteWriter(40).bytes(parent).u64(slot).finish()));
}

/** The later of two times, slots or heights. */
export function max(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}
