import { OperatorError } from '../../common/operator-error.ts';
import { SYSVAR_CLOCK } from '../../solana/program-addresses.ts';
import type { Timers } from '../../common/ports/timers.ts';
import { type ChainClock, ChainUnavailable, type Commitment, type RecentBlockhash } from '../chain.ts';
import { MAX_BLOCKHASH_AGE, RecentBlockhashes } from '../recent-blockhashes.ts';
import { accountConfig } from './accounts/read-accounts.ts';
import { asAddress, asText } from './client/read-json.ts';
import { POLL, type RpcClient, RpcNotNow, RpcRefusal } from './client/rpc-client.ts';
import {
  aheadWithin,
  clockOffset,
  continues,
  type EpochStanding,
  fits,
  larger,
  readBlockhash,
  readClock,
  readStanding,
  requireTogether,
  type Sighting,
  type Standing,
} from './sighting.ts';

const METHOD_NOT_FOUND = -32601;
/** Answers that contradict what is known are believed after so many that agree with each other, and so long. */
const MIN_AGREEING = 3;
const MAX_BELIEVE_MS = 30_000;
/** A node that is behind what is known is believed only when its clock is not further behind the local one and the known one. */
const MAX_CLOCK_BEHIND_MS = 30_000;
/** About ten minutes: a network that confirms finalizes half a minute later. */
const MAX_UNFINALIZED = 1_500n;
const NOTHING: Standing = { slot: 0n, height: 0n };

/** Answers that agree with each other and contradict what is known. */
interface Dissent {
  readonly first: Sighting;
  last: Sighting;
  count: number;
}

/**
 * Slots, heights, the clock and blockhashes as an RPC tells them, kept to answer from memory. Behind one URL there may be
 * many nodes, of which some lag and one may be wrong. So what is known gives way only to what is newer and can follow it,
 * and nothing that was believed stays for good: each is replaced as a whole by the next that is newer, and all of it is
 * taken back when the RPC keeps telling something else, see `docs/outside-rpc.md`.
 */
export class Head {
  readonly #client: RpcClient;
  readonly #timers: Timers;
  readonly #believeMs: number;
  #known: Sighting | null = null;
  #dissent: Dissent | null = null;
  #finalized: Standing = NOTHING;
  #isUnfinalized = false;
  /** What the WebSocket told last. */
  #told: { readonly processed: bigint; readonly finalized: bigint } | null = null;
  #blockhashes = new RecentBlockhashes();
  /** When the newest blockhash and the newest clock came. */
  #blockhashAt: number;
  #clockAt: number;
  /** The confirmed slot of the last answer, which may be behind. */
  #answered = 0n;
  #answeredAt: number;
  #failure = 'it was not asked yet';
  /** When the newest confirmed slot last became another. */
  #movedAt: number;
  /** When the answers were asked for that moved it: what they tell is not older. */
  #movedFrom: number;
  /** What the RPC says of itself. */
  #complaint: string | null = null;
  #genesisHash: string | null = null;
  /** Called after slots that were believed were taken back, with the newest that is believed now. */
  onTakenBack: (slot: bigint) => void = () => {};

  /** @param staleMs as of `RpcChainOptions`: the longer, the more answers it takes to take back what was believed */
  constructor(client: RpcClient, timers: Timers, staleMs: number) {
    this.#client = client;
    this.#timers = timers;
    this.#believeMs = Math.min(staleMs, MAX_BELIEVE_MS);
    this.#answeredAt = timers.now();
    this.#movedAt = this.#answeredAt;
    this.#movedFrom = this.#answeredAt;
    this.#blockhashAt = this.#answeredAt;
    this.#clockAt = this.#answeredAt;
  }

  /** As told last; null before the first slow poll. */
  get genesisHash(): string | null {
    return this.#genesisHash;
  }

  slot(commitment: Commitment): bigint {
    const { slot } = this.#standing(commitment);
    if (this.#told === null || commitment === 'confirmed') return slot;
    const confirmed = this.#standing('confirmed').slot;
    const { processed, finalized } = this.#told;
    const told = commitment === 'processed' ? processed : smaller(finalized, confirmed);
    return larger(told, slot);
  }

  height(commitment: Commitment): bigint {
    return this.#standing(commitment).height;
  }

  clock(): ChainClock {
    const clock = this.#known?.clock ?? { slot: 0n, epoch: 0n, unixTimestamp: 0n };
    const slot = this.slot('processed');
    return slot > clock.slot ? { slot, epoch: clock.epoch, unixTimestamp: clock.unixTimestamp } : clock;
  }

  blockhash(slotsToExpiry: number): RecentBlockhash {
    return this.#blockhashes.pick(slotsToExpiry, this.height('processed'));
  }

  /**
   * What the WebSocket tells as it happens; the next message replaces it, whether it is newer or not.
   * @throws OperatorError for a slot that cannot be
   */
  tell(processed: bigint, finalized: bigint): void {
    this.requirePossible(processed);
    if (finalized > processed) throw new OperatorError(`root ${finalized} at slot ${processed}`);
    this.#told = { processed, finalized };
  }

  /** The WebSocket tells nothing any more. */
  forgetTold(): void {
    this.#told = null;
  }

  /** For every slot that is told along with something else. @throws OperatorError for one further ahead than can be */
  requirePossible(slot: bigint): void {
    const last = this.slot('processed') + aheadWithin(this.#timers.now() - this.#movedFrom);
    if (slot > last)
      throw new OperatorError(`slot ${slot}, while the network is at ${this.slot('processed')}`);
  }

  /** Asks for what changes with every slot. @throws ChainUnavailable, RpcRefusal */
  async poll(): Promise<void> {
    try {
      const sighting = await this.#ask();
      requireTogether(sighting);
      this.#take(sighting);
    } catch (error) {
      this.#failure = error instanceof Error ? error.message : String(error);
      if (!(error instanceof OperatorError)) throw error;
      this.#failure = `the RPC told ${error.message}`;
      throw new ChainUnavailable(this.#failure);
    }
  }

  /** Asks for what may be known a little later. @throws ChainUnavailable, RpcRefusal */
  async pollSlowly(): Promise<void> {
    const [finalized, complaint, genesisHash] = await Promise.all([
      this.#askStanding('finalized'),
      this.#health(),
      this.#client.call('getGenesisHash', [], (result) => asAddress(result, 'result'), POLL),
    ]);
    this.#complaint = complaint;
    this.#genesisHash = genesisHash;
    if (finalized.slot < this.#finalized.slot) return;
    this.#finalized = finalized;
    this.#checkFinalized();
    this.#isUnfinalized = this.slot('confirmed') - this.#finalized.slot > MAX_UNFINALIZED;
  }

  /** Null when all is well at `now`; otherwise what is not. */
  unhealthy(now: number, staleMs: number, genesisHash: string): string | null {
    if (this.#genesisHash !== null && this.#genesisHash !== genesisHash) {
      return `the RPC is of another network now: its genesis hash is ${this.#genesisHash}, not ${genesisHash}`;
    }
    const silence = now - this.#answeredAt;
    if (silence > staleMs) return `the RPC has not answered for ${silence} ms: ${this.#failure}`;
    return (
      this.#standstill(now, staleMs) ??
      age('blockhash', now - this.#blockhashAt, staleMs) ??
      age('clock', now - this.#clockAt, staleMs) ??
      (this.#complaint === null ? null : `the RPC says of itself: ${this.#complaint}`) ??
      this.#unconfirmed()
    );
  }

  #standstill(now: number, staleMs: number): string | null {
    const still = now - this.#movedAt;
    if (still <= staleMs) return null;
    const { slot, height } = this.#standing('confirmed');
    const behind = slot - this.#answered;
    if (behind > 0n) {
      return `the RPC lags: it answers as of slot ${this.#answered}, ${behind} slots behind the newest that it told`;
    }
    if (this.#dissent === null) return `the RPC has told no slot newer than ${slot} for ${still} ms`;
    const { confirmed } = this.#dissent.last;
    return `the RPC contradicts itself: it told slot ${slot} with block height ${height}, and tells slot ${confirmed.slot} with block height ${confirmed.height} now`;
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

  async #ask(): Promise<Sighting> {
    const askedAt = this.#timers.now();
    const [processed, confirmed, blockhash, clock] = await Promise.all([
      this.#askStanding('processed'),
      this.#askStanding('confirmed'),
      this.#client.call(
        'getLatestBlockhash',
        [{ commitment: 'confirmed' }],
        (result) => readBlockhash(result, this.#timers.now()),
        POLL,
      ),
      this.#client.call('getMultipleAccounts', [[SYSVAR_CLOCK], accountConfig('processed')], readClock, POLL),
    ]);
    const at = this.#timers.now();
    return { processed, confirmed, blockhash, clock, tookMs: at - askedAt, at };
  }

  #take(sighting: Sighting): void {
    const known = this.#known;
    this.#answeredAt = sighting.at;
    this.#answered = sighting.confirmed.slot;
    if (known === null) this.#believe(sighting);
    else if (continues(known, sighting, sighting.at - this.#movedFrom)) this.#follow(known, sighting);
    else this.#doubt(known, sighting);
  }

  /** Of each, the newer: it replaces the older one as a whole, so that no height outlives its slot. */
  #follow(known: Sighting, next: Sighting): void {
    this.#dissent = null;
    if (next.confirmed.slot > known.confirmed.slot) this.#move(next);
    if (next.clock.slot > known.clock.slot) this.#clockAt = next.at;
    const confirmed = newer(known.confirmed, next.confirmed);
    this.#known = {
      processed: newer(newer(known.processed, next.processed), confirmed),
      confirmed,
      blockhash: next.blockhash,
      // Not only later ones: a network that has just begun tells what it has as of slot 0.
      clock: next.clock.slot >= known.clock.slot ? next.clock : known.clock,
      tookMs: next.tookMs,
      at: next.at,
    };
    const told = this.#told?.processed ?? 0n;
    if (told > this.#known.processed.slot + aheadWithin(next.tookMs)) this.#told = null;
    this.#checkFinalized();
    if (this.#blockhashes.add(next.blockhash, this.#known.processed.height)) this.#blockhashAt = next.at;
  }

  #doubt(known: Sighting, next: Sighting): void {
    const dissent = this.#dissent;
    if (dissent === null || !continues(dissent.last, next, next.at - dissent.last.at + dissent.last.tookMs)) {
      this.#dissent = { first: next, last: next, count: 1 };
      return;
    }
    dissent.count++;
    dissent.last = next;
    const hasMoved = next.confirmed.slot > dissent.first.confirmed.slot;
    const isLong = dissent.count >= MIN_AGREEING && next.at - dissent.first.at >= this.#believeMs;
    // A node that lags, and goes on by itself, is no new world: it is waited for. Where the whole network's clock is behind,
    // what is known has that clock too, and says nothing about a lag.
    const usualOffset = Math.min(0, clockOffset(known));
    const isLagging =
      next.confirmed.slot < known.confirmed.slot && clockOffset(next) < usualOffset - MAX_CLOCK_BEHIND_MS;
    if (hasMoved && isLong && !isLagging) this.#believe(next);
  }

  /** In place of everything that is known. */
  #believe(sighting: Sighting): void {
    const isFirst = this.#known === null;
    const { confirmed, at } = sighting;
    this.#known = { ...sighting, processed: newer(sighting.processed, confirmed) };
    this.#dissent = null;
    this.#told = null;
    this.#move(sighting);
    this.#clockAt = at;
    this.#blockhashAt = at;
    this.#blockhashes = new RecentBlockhashes();
    this.#blockhashes.add(sighting.blockhash, this.#known.processed.height);
    this.#checkFinalized();
    if (!isFirst) this.onTakenBack(this.#known.processed.slot);
  }

  #move({ at, tookMs }: Sighting): void {
    this.#movedAt = at;
    this.#movedFrom = at - tookMs;
  }

  /** What was finalized is confirmed: the chain of one is that of the other, without forks. */
  #checkFinalized(): void {
    const known = this.#known?.confirmed;
    if (known === undefined) return;
    const last = known.slot + aheadWithin(this.#timers.now() - this.#movedFrom);
    if (this.#finalized.slot > last || !fits(this.#finalized, known, 0n)) this.#finalized = NOTHING;
  }

  #standing(commitment: Commitment): Standing {
    return (commitment === 'finalized' ? this.#finalized : this.#known?.[commitment]) ?? NOTHING;
  }

  #askStanding(commitment: Commitment): Promise<EpochStanding> {
    return this.#client.call('getEpochInfo', [{ commitment }], readStanding, POLL);
  }

  /** Null also from nodes that do not know the question. */
  async #health(): Promise<string | null> {
    try {
      const answer = await this.#client.call('getHealth', [], (result) => asText(result, 'result'), POLL);
      return answer === 'ok' ? null : answer.slice(0, 200);
    } catch (error) {
      if (error instanceof RpcRefusal && error.code === METHOD_NOT_FOUND) return null;
      if (error instanceof RpcNotNow) return error.message;
      throw error;
    }
  }
}

function age(what: string, ms: number, staleMs: number): string | null {
  return ms > staleMs ? `the RPC has told no newer ${what} for ${ms} ms` : null;
}

/** The second of two as of the same slot. */
function newer(known: EpochStanding, next: EpochStanding): EpochStanding {
  return next.slot >= known.slot ? next : known;
}

function smaller(one: bigint, other: bigint): bigint {
  if (one < other) return one;
  return other;
}
