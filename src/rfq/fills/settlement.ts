import { BoundedCache } from '../../common/collections/bounded-cache.ts';
import { OldestFirst } from '../../common/collections/oldest-first.ts';
import { parseTransaction } from '../../solana/messages/transaction.ts';
import type { Timers } from '../../common/ports/timers.ts';
import { SETTLING_SECONDS } from '../liquidity/book-venue.ts';
import type { CoSigned, FillRequest } from './co-signing.ts';
import { advanceFill, type FillAction, type FillEvent } from './fill-state.ts';
import { CompletedFills } from './completed-fills.ts';
import {
  INTERRUPTED,
  LAST_LOOK_MS,
  MADE_BEFORE,
  type Reason,
  UNCONNECTED,
  UNCOUNTED,
  UNRECORDED,
  uncountedReason,
  FAILURE_REASONS,
  WITHHELD,
} from './failure-reasons.ts';
import type { FillEnd, FillRecord, FillRecords } from './fill-records.ts';
import type { FillTerms } from '../liquidity/fill-terms.ts';
import type { MakerScoring } from '../makers/maker-scoring.ts';
import type { LastLook, MakerLink, OfferedSwap, SubmittedSwap } from '../streams/maker-link.ts';
import type { Reservations } from '../books/reservations.ts';
import { claimOf, type Look, type PendingFill } from './pending-fill.ts';
import { readReturned } from './returned-swap.ts';
import { sendResult, replayResults } from './replay-results.ts';

/** For so many swaps, makers are told apart what is late and what never was, and requests what is new. */
const REMEMBERED = 32_768;

export interface SettlementParts {
  readonly link: MakerLink;
  readonly conduct: MakerScoring;
  readonly records: FillRecords;
  readonly reservations: Reservations;
  readonly timers: Timers;
  readonly newUuid: () => string;
  /** Unix seconds by the chain's clock. */
  readonly chainTime: () => bigint;
  readonly onDefect: (error: unknown) => void;
  /** Told how many milliseconds after the push a maker's signature was there. */
  readonly noteLastLook: (makerId: string, milliseconds: number) => void;
}

/**
 * Swaps between the taker's signature and the chain: the only owner of their state. Its records survive a restart,
 * and what a maker signed is among them before it is sent.
 */
export class Settlement implements LastLook {
  readonly #parts: SettlementParts;
  readonly #fills = new Map<string, PendingFill>();
  readonly #ended = new CompletedFills(REMEMBERED);
  /** Requests that were or may be recorded. */
  readonly #seen = new BoundedCache<string, true>(REMEMBERED);
  /** What follows for the makers of swaps whose end is not recorded yet. */
  readonly #consequences = new OldestFirst<string, readonly (() => Promise<void>)[]>();

  constructor(parts: SettlementParts) {
    this.#parts = parts;
  }

  /**
   * Asks the maker for its signature; resolves within ten seconds from the push, and some for the records. What it
   * reserves of the maker's inventory is bounded by the request's prospects: the reservation ends as soon as these say
   * that the swap can no longer succeed.
   */
  async coSign(request: FillRequest): Promise<CoSigned> {
    const { terms, requestId, wire, order, signature, prospects = null } = request;
    const { link, reservations, newUuid, timers, chainTime } = this.#parts;
    if (chainTime() > terms.expireAt - SETTLING_SECONDS) {
      const reason = `the order had to be executed ${SETTLING_SECONDS} seconds before its fill ends at ${terms.expireAt}`;
      return { refused: 'expired', reason, swapUuid: null };
    }
    const swapUuid = newUuid();
    const claim = claimOf(swapUuid, terms);
    const refusal = reservations.reserve(claim);
    if (refusal !== null) {
      const { refused, reason } = refusal;
      return { refused: refused === 'expired' ? 'expired' : 'rejected', reason, swapUuid: null };
    }
    this.#seen.set(requestId, true);
    const offeredAt = timers.now();
    const record = { swapUuid, requestId, makerId: terms.makerId, order, offered: wire, offeredAt };
    // From the push on the maker has what the taker signed, so that a restart must find it.
    const unrecorded = await this.#begin(record);
    if (unrecorded !== null) {
      reservations.release(terms.makerId, swapUuid);
      return { ...unrecorded, swapUuid };
    }
    const look = { claim, signature, offeredAt: timers.now(), wire, refusal: UNCONNECTED, prospects };
    const { fill, answered } = this.#look({ ...look, atEnd: 'deadline' });
    if (prospects !== null) {
      fill.stopWatching = prospects.watch((reason) => this.#giveUp(swapUuid, fill, reason));
    }
    if (!link.offer(fill.offered)) this.#advance(swapUuid, fill, 'withdrawn');
    return answered;
  }

  /** Goes on with the last look at a swap that a process that is gone had offered; what is left of its time counts. */
  lookAgain(
    { swapUuid, offered, offeredAt }: FillRecord,
    terms: FillTerms,
    signature: string,
  ): Promise<CoSigned> {
    const claim = claimOf(swapUuid, terms);
    this.#parts.reservations.hold(claim);
    const look = { claim, signature, offeredAt, wire: offered, refusal: INTERRUPTED, prospects: null };
    const { fill, answered } = this.#look({ ...look, atEnd: 'abandoned' });
    // A maker that is not there yet is pushed it when it comes.
    this.#parts.link.offer(fill.offered);
    return answered;
  }

  submitted({ makerId, swapUuid, signedTransaction }: SubmittedSwap): string | null {
    const fill = this.#fills.get(swapUuid);
    if (fill === undefined || fill.claim.makerId !== makerId) return this.#ended.answer(makerId, swapUuid);
    if (fill.state !== 'offered') return `the swap ${swapUuid} was submitted before`;
    if (fill.isDue) return `the swap ${swapUuid} is over: ${FAILURE_REASONS.expired}`;
    const returned = readReturned(signedTransaction, fill.offered.transaction);
    if (returned.kind === 'unusable') return `the swap ${swapUuid} waits on: ${returned.reason}`;
    if (returned.kind === 'tampered') {
      this.#advance(swapUuid, fill, 'tampered', returned.message);
      return `the swap ${swapUuid} was returned with another message than it was offered with: it is rejected`;
    }
    fill.signed = returned.wire;
    this.#parts.noteLastLook(makerId, this.#parts.timers.now() - fill.offeredAt);
    this.#advance(swapUuid, fill, 'signed');
    return null;
  }

  pending(makerId: string): readonly OfferedSwap[] {
    const waiting = [...this.#fills.values()].filter(
      ({ state, claim, isDue }) => state === 'offered' && !isDue && claim.makerId === makerId,
    );
    return waiting.map(({ offered }) => offered);
  }

  knows(swapUuid: string): boolean {
    return this.#fills.has(swapUuid) || this.#ended.get(swapUuid) !== null;
  }

  /**
   * What became of a swap whose transaction was signed.
   * @param answer for who asks for the request again
   * @param broken whether it failed because the maker no longer held what it had signed for
   */
  async landed(swapUuid: string, succeeded: boolean, answer: string, broken = false): Promise<void> {
    const fill = this.#fills.get(swapUuid);
    const ended = this.#ended.get(swapUuid);
    if (fill !== undefined) {
      this.#advance(swapUuid, fill, succeeded ? 'landed' : broken ? 'broken' : 'lost');
      await fill.counted;
      if (!succeeded) {
        const recorded = await this.#end(swapUuid, { state: 'failed', answer });
        await this.#afterEnd(swapUuid, recorded !== 'not ours');
        return;
      }
    } else if (succeeded && (ended?.state === 'expired' || ended?.state === 'rejected')) {
      // It was given up, and is on the chain all the same: its maker has landed it by itself.
      this.#parts.link.confirmed(ended.makerId, swapUuid, ended.signature);
    }
    this.#consequences.delete(swapUuid);
    await this.#end(swapUuid, { state: succeeded ? 'confirmed' : 'failed', answer });
  }

  /**
   * What became of a swap that was not signed; false when its record says that it was, or has an end already. The maker is
   * told and counted only when the end that is recorded is this one. Null: it cannot be recorded now, and is to be tried
   * again.
   */
  async refused(swapUuid: string, answer: string): Promise<boolean | null> {
    const state = this.#ended.get(swapUuid)?.state === 'rejected' ? 'rejected' : 'expired';
    const recorded = await this.#end(swapUuid, { state, answer, from: 'offered' });
    if (recorded === 'unknown') return null;
    await this.#afterEnd(swapUuid, recorded === 'ours');
    return recorded === 'ours';
  }

  /** A record that stays without its end is resolved against the chain after the next restart. */
  async #end(swapUuid: string, end: FillEnd): Promise<'ours' | 'not ours' | 'unknown'> {
    try {
      return (await this.#parts.records.end(swapUuid, end)) ? 'ours' : 'not ours';
    } catch (error) {
      this.#parts.onDefect(error);
      return 'unknown';
    }
  }

  /** @param isOurs whether the end of the swap is the one that this process has found, and so its maker's to bear */
  async #afterEnd(swapUuid: string, isOurs: boolean): Promise<void> {
    const consequences = this.#consequences.get(swapUuid) ?? [];
    this.#consequences.delete(swapUuid);
    if (isOurs) for (const consequence of consequences) await consequence();
  }

  /** Runs it when the end is recorded: until then another process may have had the maker sign, and have confirmed it. */
  #onceEnded(swapUuid: string, consequence: () => Promise<void>): void {
    const before = this.#consequences.get(swapUuid) ?? [];
    this.#consequences.set(swapUuid, [...before, consequence]);
    const oldest = this.#consequences.size > REMEMBERED ? this.#consequences.oldest() : null;
    if (oldest !== null) this.#consequences.delete(oldest[0]);
  }

  async known(requestId: string): Promise<FillRecord | null> {
    const record = await this.#parts.records.byRequest(requestId);
    if (record !== null) this.#seen.set(requestId, true);
    return record;
  }

  /** Whether this process has seen a record for the request; a new request need not wait for a look at them. */
  hasSeen(requestId: string): boolean {
    return this.#seen.get(requestId) === true;
  }

  unfinished(): Promise<readonly FillRecord[]> {
    return this.#parts.records.unfinished();
  }

  /** See `tellLateEnds`. */
  tellLateEnds(): Promise<void> {
    return replayResults(this.#parts);
  }

  /** See `tellEnd`. */
  tellEnd(record: FillRecord): void {
    sendResult(this.#parts.link, record);
  }

  /** Takes over a signed swap of a process that is gone; `landed` ends it. */
  resume({ swapUuid, offered, makerId, offeredAt }: FillRecord, terms: FillTerms, signature: string): void {
    if (this.#fills.has(swapUuid)) return;
    const claim = claimOf(swapUuid, terms);
    this.#parts.reservations.hold(claim);
    this.#fills.set(swapUuid, {
      state: 'landing',
      claim,
      signature,
      offeredAt,
      signed: null,
      refusal: UNRECORDED,
      offered: { swapUuid, makerId, transaction: offered },
      answer: () => {},
      stopWaiting: () => {},
      counted: Promise.resolve(),
      prospects: null,
      stopWatching: () => {},
      isDue: false,
      why: null,
    });
  }

  #look({ claim, signature, offeredAt, wire, refusal, prospects, atEnd }: Look): {
    readonly fill: PendingFill;
    readonly answered: Promise<CoSigned>;
  } {
    const { swapUuid, makerId } = claim;
    const { timers } = this.#parts;
    let answer: PendingFill['answer'] = () => {};
    const answered = new Promise<CoSigned>((resolve) => {
      answer = resolve;
    });
    const fill: PendingFill = {
      state: 'offered',
      claim,
      signature,
      offeredAt,
      answer,
      refusal,
      signed: null,
      offered: { swapUuid, makerId, transaction: wire },
      counted: Promise.resolve(),
      prospects,
      stopWaiting: () => {},
      stopWatching: () => {},
      isDue: false,
      why: null,
    };
    this.#fills.set(swapUuid, fill);
    const left = Math.max(0, offeredAt + LAST_LOOK_MS - timers.now());
    fill.stopWaiting = timers.after(left, () => void this.#timeOut(swapUuid, fill, atEnd));
    return { fill, answered };
  }

  /** The maker's time is over: it has missed the swap only if that could have succeeded. */
  async #timeOut(swapUuid: string, fill: PendingFill, atEnd: Look['atEnd']): Promise<void> {
    const { prospects } = fill;
    if (fill.state !== 'offered' || atEnd === 'abandoned' || prospects === null) {
      this.#advance(swapUuid, fill, atEnd);
      return;
    }
    fill.isDue = true;
    const obstacle = await prospects.obstacle().catch((error: unknown) => {
      this.#parts.onDefect(error);
      return 'whether the swap could have succeeded is not known';
    });
    if (obstacle === null) this.#advance(swapUuid, fill, atEnd);
    else this.#giveUp(swapUuid, fill, obstacle);
  }

  /** Frees the inventory of a swap that cannot succeed, and counts nothing. */
  #giveUp(swapUuid: string, fill: PendingFill, reason: string): void {
    if (fill.state !== 'offered') return;
    fill.refusal = { refused: 'rejected', reason };
    fill.why = uncountedReason(reason);
    this.#advance(swapUuid, fill, 'hopeless');
  }

  /** Null when the record is there. */
  async #begin(record: Parameters<FillRecords['begin']>[0]): Promise<Reason | null> {
    try {
      return (await this.#parts.records.begin(record)) ? null : MADE_BEFORE;
    } catch (error) {
      this.#parts.onDefect(error);
      return UNRECORDED;
    }
  }

  #advance(swapUuid: string, fill: PendingFill, event: FillEvent, returned?: Uint8Array): void {
    const step = advanceFill(fill.state, event);
    if (step === null) return;
    fill.state = step.state;
    if (step.state !== 'offered') {
      fill.stopWaiting();
      fill.stopWatching();
    }
    for (const action of step.actions) this.#act(action, swapUuid, fill, returned);
    this.#answer(swapUuid, fill, event);
  }

  #act(action: FillAction, swapUuid: string, fill: PendingFill, returned?: Uint8Array): void {
    const { reservations, conduct, link } = this.#parts;
    const { claim, offered, signature } = fill;
    const { makerId } = claim;
    // Its signature is there, so that what is said of one that is not would be false.
    const isWithheld = fill.refusal === UNRECORDED && fill.state === 'expired';
    const why = fill.why ?? (isWithheld ? WITHHELD : FAILURE_REASONS[fill.state]);
    switch (action) {
      case 'store':
        this.#store(swapUuid, fill).catch(this.#parts.onDefect);
        break;
      case 'send':
        // Whoever waits for the signature lands it.
        break;
      case 'release':
        reservations.release(makerId, swapUuid);
        break;
      case 'settle':
        reservations.settle(makerId, swapUuid);
        break;
      case 'count-filled':
        fill.counted = conduct.filled(makerId, swapUuid);
        break;
      case 'count-missed':
        this.#onceEnded(swapUuid, () => conduct.missed(makerId, swapUuid));
        break;
      case 'count-tampered':
        fill.counted = conduct.tampered(makerId, swapUuid, messageOf(offered), returned ?? new Uint8Array(0));
        break;
      case 'tell-confirmed':
        link.confirmed(makerId, swapUuid, signature);
        break;
      case 'tell-failed':
        this.#onceEnded(swapUuid, async () => link.failed(makerId, swapUuid, why ?? 'the swap was not made'));
        break;
    }
  }

  async #store(swapUuid: string, fill: PendingFill): Promise<void> {
    const { records, onDefect } = this.#parts;
    const unwritten = (error: unknown): false => {
      onDefect(error);
      return false;
    };
    fill.refusal = UNRECORDED;
    const stored = fill.signed !== null && (await records.sign(swapUuid, fill.signed).catch(unwritten));
    this.#advance(swapUuid, fill, stored ? 'stored' : 'unstored');
  }

  /** Tells whoever waits, as soon as there is something to tell, and forgets what is over. */
  #answer(swapUuid: string, fill: PendingFill, event: FillEvent): void {
    const { state, signed, claim, counted } = fill;
    // Whoever is answered records the end, after which nothing is counted any more.
    const answer = (answered: CoSigned) => void counted.then(() => fill.answer(answered));
    if (state === 'landing' && signed !== null) answer({ swapUuid, wire: signed });
    const why = FAILURE_REASONS[state];
    if (why === undefined) return;
    this.#fills.delete(swapUuid);
    this.#ended.add(swapUuid, { makerId: claim.makerId, signature: fill.signature, state, why: fill.why });
    if (event === 'deadline') answer({ refused: 'expired', reason: why, swapUuid });
    if (event === 'tampered') answer({ refused: 'rejected', reason: why, swapUuid });
    if (UNCOUNTED.includes(event)) answer({ ...fill.refusal, swapUuid });
  }
}

function messageOf({ transaction }: OfferedSwap): Uint8Array {
  return parseTransaction(transaction).messageBytes;
}
