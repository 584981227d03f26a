import { minimum, maximum } from '../../solana/units.ts';
import { OperatorError } from '../../common/operator-error.ts';
import type { Timers } from '../../common/ports/timers.ts';
import type { Address } from '../../solana/address.ts';
import { type ChainClock, ChainUnavailable, type Commitment, type RecentBlockhash } from '../chain.ts';
import { MAX_BLOCKHASH_AGE, RecentBlockhashes } from '../recent-blockhashes.ts';
import type { RpcClient } from './client/rpc-client.ts';
import { Contradiction } from './contradiction.ts';
import { pollHead, pollHeadSlowly } from './poll-head.ts';
import type { RpcChainOptions } from './rpc-chain.ts';
import {
  computeMaxSlotsAhead,
  canFollow,
  type EpochPosition,
  areConsistent,
  requireConsistent,
  type PollResult,
  type BlockPosition,
} from './poll-result.ts';

/** About ten minutes of slots. Confirmed slots are normally finalized within half a minute. */
const MAX_UNFINALIZED = 1_500n;
const UNKNOWN: BlockPosition = { slot: 0n, height: 0n };

/**
 * Slots, block heights, the clock and blockhashes as the RPC reports them, kept in memory.
 *
 * Behind one URL there may be many nodes. Some lag, and one may be wrong. A poll result therefore replaces the known
 * state only if it is newer and can follow it. If the RPC keeps contradicting the known state, the state is rolled back
 * as a whole, so that no false answer stays for good. See `docs/outside-rpc.md`.
 */
export class ChainHead {
  readonly #client: RpcClient;
  readonly #timers: Timers;
  #known: PollResult | null = null;
  readonly #contradiction: Contradiction;
  #finalized: BlockPosition = UNKNOWN;
  #isUnfinalized = false;
  /** The slots of the WebSocket's last message. */
  #socketSlots: { readonly processed: bigint; readonly finalized: bigint } | null = null;
  readonly #blockhashLifetime: bigint;
  #blockhashes: RecentBlockhashes;
  /** When the newest blockhash and the newest clock were received. */
  #blockhashAt: number;
  #clockAt: number;
  /** The confirmed slot of the last poll, which may be older than the known one. */
  #answered = 0n;
  #answeredAt: number;
  #failure = 'it was not asked yet';
  /** When the newest confirmed slot last changed. */
  #movedAt: number;
  /** When the poll began that changed it. Its answers are not older than this. */
  #movedFrom: number;
  /** The problem that the RPC's `getHealth` reports. */
  #reportedProblem: string | null = null;
  #genesisHash: string | null = null;
  /** Called after known slots turned out not to exist, with the newest slot that is known now. */
  onRollback: (slot: bigint) => void = () => {};

  /**
   * @param options - See `RpcChainOptions`. A contradiction has to last `staleMs`, or 30 seconds, to be believed.
   */
  constructor(
    client: RpcClient,
    { timers, staleMs, blockhashSlots }: Pick<RpcChainOptions, 'timers' | 'staleMs' | 'blockhashSlots'>,
  ) {
    this.#client = client;
    this.#blockhashLifetime = BigInt(blockhashSlots ?? MAX_BLOCKHASH_AGE);
    this.#blockhashes = new RecentBlockhashes(this.#blockhashLifetime);
    this.#timers = timers;
    this.#contradiction = new Contradiction(staleMs);
    this.#answeredAt = timers.now();
    this.#movedAt = this.#answeredAt;
    this.#movedFrom = this.#answeredAt;
    this.#blockhashAt = this.#answeredAt;
    this.#clockAt = this.#answeredAt;
  }

  /** The genesis hash of the last slow poll. Null before the first. */
  get genesisHash(): string | null {
    return this.#genesisHash;
  }

  slot(commitment: Commitment): bigint {
    const { slot } = this.#position(commitment);
    if (this.#socketSlots === null || commitment === 'confirmed') return slot;
    const confirmed = this.#position('confirmed').slot;
    const { processed, finalized } = this.#socketSlots;
    const socketSlot = commitment === 'processed' ? processed : minimum(finalized, confirmed);
    return maximum(socketSlot, slot);
  }

  height(commitment: Commitment): bigint {
    return this.#position(commitment).height;
  }

  clock(): ChainClock {
    const clock = this.#known?.clock ?? { slot: 0n, epoch: 0n, unixTimestamp: 0n };
    const slot = this.slot('processed');
    return slot > clock.slot ? { slot, epoch: clock.epoch, unixTimestamp: clock.unixTimestamp } : clock;
  }

  lastValidHeightOf(blockhash: Address): bigint | null {
    return this.#blockhashes.lastValidHeightOf(blockhash);
  }

  blockhash(slotsToExpiry: number): RecentBlockhash {
    return this.#blockhashes.pick(slotsToExpiry, this.height('processed'));
  }

  /**
   * Records the slots of a WebSocket message. They replace those of the last message even if they are older.
   *
   * @throws OperatorError for a slot that is implausible.
   */
  noteSocketSlots(processed: bigint, finalized: bigint): void {
    this.requirePlausible(processed);
    if (finalized > processed) throw new OperatorError(`root ${finalized} at slot ${processed}`);
    this.#socketSlots = { processed, finalized };
  }

  /** Called when the WebSocket stops reporting slots. */
  forgetSocketSlots(): void {
    this.#socketSlots = null;
  }

  /**
   * Checks a slot that came with an account or a message.
   *
   * @throws OperatorError when it is further ahead than the network can be.
   */
  requirePlausible(slot: bigint): void {
    const max = this.slot('processed') + computeMaxSlotsAhead(this.#timers.now() - this.#movedFrom);
    if (slot > max)
      throw new OperatorError(`slot ${slot}, while the network is at ${this.slot('processed')}`);
  }

  /**
   * Reads what changes with every slot.
   *
   * @throws ChainUnavailable when there is no consistent answer.
   * @throws RpcRefusal when the RPC refuses a call.
   */
  async poll(): Promise<void> {
    try {
      const result = await pollHead(this.#client, this.#timers);
      requireConsistent(result, this.#blockhashLifetime);
      this.#accept(result);
    } catch (error) {
      this.#failure = error instanceof Error ? error.message : String(error);
      if (!(error instanceof OperatorError)) throw error;
      this.#failure = `the RPC reported ${error.message}`;
      throw new ChainUnavailable(this.#failure);
    }
  }

  /**
   * Reads what may be a little older: the finalized block, the health and the genesis hash.
   *
   * @throws ChainUnavailable when there is no answer.
   * @throws RpcRefusal when the RPC refuses a call.
   */
  async pollSlowly(): Promise<void> {
    const { finalized, reportedProblem, genesisHash } = await pollHeadSlowly(this.#client);
    this.#reportedProblem = reportedProblem;
    this.#genesisHash = genesisHash;
    if (finalized.slot < this.#finalized.slot) return;
    this.#finalized = finalized;
    this.#checkFinalized();
    this.#isUnfinalized = this.slot('confirmed') - this.#finalized.slot > MAX_UNFINALIZED;
  }

  /**
   * Returns the reason why the known state cannot be relied on, or null when it can.
   *
   * @param now - Unix milliseconds.
   * @param staleMs - The age in milliseconds from which data is stale.
   * @param genesisHash - The genesis hash of the network that the process started with.
   */
  unhealthy(now: number, staleMs: number, genesisHash: string): string | null {
    if (this.#genesisHash !== null && this.#genesisHash !== genesisHash) {
      return `the RPC is of another network now: its genesis hash is ${this.#genesisHash}, not ${genesisHash}`;
    }
    const silence = now - this.#answeredAt;
    if (silence > staleMs) return `the RPC has not answered for ${silence} ms: ${this.#failure}`;
    return (
      this.#stalled(now, staleMs) ??
      age('blockhash', now - this.#blockhashAt, staleMs) ??
      age('clock', now - this.#clockAt, staleMs) ??
      (this.#reportedProblem === null ? null : `the RPC says of itself: ${this.#reportedProblem}`) ??
      this.#unconfirmed()
    );
  }

  #stalled(now: number, staleMs: number): string | null {
    const still = now - this.#movedAt;
    if (still <= staleMs) return null;
    const { slot, height } = this.#position('confirmed');
    const behind = slot - this.#answered;
    if (behind > 0n) {
      return `the RPC lags: it answers as of slot ${this.#answered}, ${behind} slots behind the newest that it reported`;
    }
    const contradicting = this.#contradiction.last;
    if (contradicting === null) return `the RPC has reported no slot newer than ${slot} for ${still} ms`;
    const { confirmed } = contradicting;
    return `the RPC contradicts itself: it reported slot ${slot} with block height ${height}, and reports slot ${confirmed.slot} with block height ${confirmed.height} now`;
  }

  #unconfirmed(): string | null {
    const processed = this.slot('processed');
    const confirmed = this.slot('confirmed');
    if (processed - confirmed > MAX_BLOCKHASH_AGE) {
      return `the RPC tells slot ${processed}, but has confirmed none of the last ${processed - confirmed}`;
    }
    if (!this.#isUnfinalized) return null;
    return `the RPC tells slot ${confirmed}, but has finalized none since ${this.slot('finalized')}`;
  }

  #accept(result: PollResult): void {
    const known = this.#known;
    this.#answeredAt = result.at;
    this.#answered = result.confirmed.slot;
    if (known === null) this.#believe(result);
    else if (canFollow(known, result, result.at - this.#movedFrom)) this.#follow(known, result);
    else if (this.#contradiction.note(known, result)) this.#believe(result);
  }

  /** Keeps the newer of each position. It replaces the older one as a whole, so that slot and height stay together. */
  #follow(known: PollResult, next: PollResult): void {
    this.#contradiction.end();
    if (next.confirmed.slot > known.confirmed.slot) this.#move(next);
    if (next.clock.slot > known.clock.slot) this.#clockAt = next.at;
    const confirmed = newer(known.confirmed, next.confirmed);
    this.#known = {
      processed: newer(newer(known.processed, next.processed), confirmed),
      confirmed,
      blockhash: next.blockhash,
      // The same slot counts too: a network that has just started reports its state as of slot 0.
      clock: next.clock.slot >= known.clock.slot ? next.clock : known.clock,
      tookMs: next.tookMs,
      at: next.at,
    };
    const socketSlot = this.#socketSlots?.processed ?? 0n;
    if (socketSlot > this.#known.processed.slot + computeMaxSlotsAhead(next.tookMs)) this.#socketSlots = null;
    this.#checkFinalized();
    if (this.#blockhashes.add(next.blockhash, this.#known.processed.height)) this.#blockhashAt = next.at;
  }

  /** Replaces the whole known state. */
  #believe(result: PollResult): void {
    const isFirst = this.#known === null;
    const { confirmed, at } = result;
    this.#known = { ...result, processed: newer(result.processed, confirmed) };
    this.#contradiction.end();
    this.#socketSlots = null;
    this.#move(result);
    this.#clockAt = at;
    this.#blockhashAt = at;
    this.#blockhashes = new RecentBlockhashes(this.#blockhashLifetime);
    this.#blockhashes.add(result.blockhash, this.#known.processed.height);
    this.#checkFinalized();
    if (!isFirst) this.onRollback(this.#known.processed.slot);
  }

  #move({ at, tookMs }: PollResult): void {
    this.#movedAt = at;
    this.#movedFrom = at - tookMs;
  }

  /** Drops the finalized block unless it can be on the chain of the confirmed one, which has no forks. */
  #checkFinalized(): void {
    const known = this.#known?.confirmed;
    if (known === undefined) return;
    const last = known.slot + computeMaxSlotsAhead(this.#timers.now() - this.#movedFrom);
    if (this.#finalized.slot > last || !areConsistent(this.#finalized, known, 0n)) this.#finalized = UNKNOWN;
  }

  #position(commitment: Commitment): BlockPosition {
    return (commitment === 'finalized' ? this.#finalized : this.#known?.[commitment]) ?? UNKNOWN;
  }
}

function age(what: string, ms: number, staleMs: number): string | null {
  return ms > staleMs ? `the RPC has reported no newer ${what} for ${ms} ms` : null;
}

/** Returns the position with the higher slot, or `next` when both have the same slot. */
function newer(known: EpochPosition, next: EpochPosition): EpochPosition {
  return next.slot >= known.slot ? next : known;
}
