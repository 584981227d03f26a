import type { Timers } from '../../common/ports/timers.ts';
import { parseTransaction } from '../../solana/messages/transaction.ts';
import type { Reservations, SignedClaim } from '../books/reservations.ts';
import { SETTLING_SECONDS } from '../liquidity/book-venue.ts';
import type { FillTerms } from '../liquidity/fill-terms.ts';
import type { MakerScoring } from '../makers/maker-scoring.ts';
import type { LastLook, MakerLink, OfferedSwap, SubmittedSwap } from '../streams/maker-link.ts';
import type { CoSigned, FillRequest, Prospects } from './co-signing.ts';
import { claimOf, type Fill, PastFills, type PendingFill } from './fill.ts';
import type { FillLog } from './fill-log.ts';
import type { FillRecord } from './fill-records.ts';
import {
  endText,
  INTERRUPTED,
  LAST_LOOK_MS,
  MISSED,
  type Reason,
  TAMPERED,
  UNCONNECTED,
  uncountedReason,
  UNRECORDED,
  WITHHELD,
} from './fill-results.ts';
import {
  advanceFill,
  type FillAction,
  type FillEvent,
  type FillState,
  type RecordedState,
} from './fill-state.ts';
import { readReturned } from './returned-swap.ts';

const OVERBOOKED =
  'the maker did not sign, and had signed other swaps for the same inventory, whose takers could no longer pay';

/** So many fills are remembered, so that what is late is told from what never was. */
const MAX_REMEMBERED = 32_768;

export interface SettlementOptions {
  readonly link: MakerLink;
  readonly conduct: MakerScoring;
  readonly log: FillLog;
  readonly reservations: Reservations;
  readonly timers: Timers;
  readonly newUuid: () => string;
  /** Unix seconds by the chain's clock. */
  readonly chainTime: () => bigint;
  readonly onDefect: (error: unknown) => void;
  /** Called with the milliseconds from an offer to the maker's signature. */
  readonly noteLastLook: (makerId: string, milliseconds: number) => void;
}

/** How a transaction that was submitted has ended. */
export type Landing = Extract<FillEvent, 'landed' | 'lost' | 'broken'>;

/**
 * Drives fills through their states, does what each step asks for, and keeps the records that survive a restart. It is
 * the only owner of their state. What the maker signed is recorded before it is submitted.
 */
export class Settlement implements LastLook {
  readonly #options: SettlementOptions;
  readonly #pending = new Map<string, PendingFill>();
  readonly #past = new PastFills(MAX_REMEMBERED);

  constructor(options: SettlementOptions) {
    this.#options = options;
  }

  /**
   * Has the maker sign a new fill. Resolves within ten seconds from the offer, and some for the records. The inventory
   * is reserved only as long as the prospects do not say that the fill cannot succeed any more.
   * @param prospects null: nobody knows them, and the maker is counted whatever the taker has
   */
  async coSign(request: FillRequest, prospects: Prospects | null = null): Promise<CoSigned> {
    const { terms, requestId, wire, order, signature } = request;
    const { link, log, reservations, newUuid, timers, chainTime } = this.#options;
    if (chainTime() > terms.expireAt - SETTLING_SECONDS) {
      const reason = `the order had to be executed ${SETTLING_SECONDS} seconds before its fill ends at ${terms.expireAt}`;
      return { refused: 'expired', reason, swapUuid: null };
    }
    const swapUuid = newUuid();
    const refusal = reservations.reserve(claimOf(swapUuid, terms));
    if (refusal !== null) {
      const { refused, reason } = refusal;
      return { refused: refused === 'expired' ? 'expired' : 'rejected', reason, swapUuid: null };
    }
    const offeredAt = timers.now();
    const record = { swapUuid, requestId, makerId: terms.makerId, order, offered: wire, offeredAt };
    // From the push on the maker has what the taker signed, so that a restart must find it.
    const unrecorded = await log.begin(record);
    if (unrecorded !== null) {
      reservations.release(terms.makerId, swapUuid);
      return { ...unrecorded, swapUuid };
    }
    const fill = newFill(record, signature, 'offered');
    const pushedAt = { ...record, offeredAt: timers.now() };
    const { answered, pending } = this.#wait(fill, pushedAt, { terms, prospects, refusal: UNCONNECTED });
    pending.stopWaiting = this.#awaitDeadline(pending, 'deadline');
    prospects?.watch((reason) => this.#giveUp(pending, reason));
    if (!link.offer(pending.offered)) this.#advance(fill, 'withdrawn');
    return answered;
  }

  /**
   * Goes on with a fill whose offer is recorded and whose end is not, for what is left of the maker's time. A maker that
   * has no stream yet is offered the fill when it connects.
   */
  lookAgain(record: FillRecord, terms: FillTerms, signature: string): Promise<CoSigned> {
    const { swapUuid } = record;
    const past = this.#past.get(swapUuid);
    if (past !== null && advanceFill(past.state, 'resumed') === null) {
      return Promise.resolve({ ...refusalOf({ fill: past, refusal: INTERRUPTED }), swapUuid });
    }
    const fill = past ?? newFill(record, signature, 'offered');
    const { answered, pending } = this.#wait(fill, record, { terms, prospects: null, refusal: INTERRUPTED });
    if (past === null) this.#options.reservations.hold(pending.claim);
    else {
      this.#past.delete(swapUuid);
      past.why = null;
      this.#advance(past, 'resumed');
    }
    pending.stopWaiting = this.#awaitDeadline(pending, 'abandoned');
    this.#options.link.offer(pending.offered);
    return answered;
  }

  /** Goes on with a fill that is recorded as signed, or was found on chain; `landed` ends it. */
  resume(record: FillRecord, terms: FillTerms, signature: string): void {
    const { swapUuid, state } = record;
    if (this.#pending.has(swapUuid)) return;
    const fill = newFill(record, signature, state);
    const { pending } = this.#wait(fill, record, { terms, prospects: null, refusal: UNRECORDED });
    this.#past.delete(swapUuid);
    this.#options.reservations.hold(pending.claim);
    if (state === 'offered') this.#advance(fill, 'found');
  }

  /** Takes over a fill that another process has refused, so that its late landing is a step as any other. */
  remember(record: FillRecord, signature: string): void {
    if (this.#find(record.swapUuid) === null) this.#past.add(newFill(record, signature, record.state));
  }

  submitted({ makerId, swapUuid, signedTransaction }: SubmittedSwap): string | null {
    const pending = this.#pending.get(swapUuid);
    if (pending === undefined || pending.fill.makerId !== makerId)
      return this.#past.refusal(makerId, swapUuid);
    const { fill, offered, offeredAt } = pending;
    if (fill.state === 'due') return `the swap ${swapUuid} is over: ${endText(fill.state)}`;
    if (fill.state !== 'offered') return `the swap ${swapUuid} was submitted before`;
    const returned = readReturned(signedTransaction, offered.transaction);
    switch (returned.kind) {
      case 'unusable':
        return `the swap ${swapUuid} waits on: ${returned.reason}`;
      case 'tampered':
        pending.signed = returned.message;
        this.#advance(fill, 'tampered');
        return `the swap ${swapUuid} was returned with another message than it was offered with: it is rejected`;
      case 'signed':
        pending.signed = returned.wire;
        this.#options.noteLastLook(makerId, this.#options.timers.now() - offeredAt);
        this.#advance(fill, 'signed');
        return null;
    }
  }

  pending(makerId: string): readonly OfferedSwap[] {
    const waiting = [...this.#pending.values()].filter(
      ({ fill }) => fill.state === 'offered' && fill.makerId === makerId,
    );
    return waiting.map(({ offered }) => offered);
  }

  knows(swapUuid: string): boolean {
    return this.#find(swapUuid) !== null;
  }

  /** @returns the claim of a fill that its maker has signed */
  signedClaim(swapUuid: string, terms: FillTerms): SignedClaim {
    return this.#options.reservations.signed(claimOf(swapUuid, terms));
  }

  /**
   * Takes what the chain says of a fill, also of one that was refused: its maker may have submitted it by itself.
   * @param answer what the taker is told
   */
  async landed(swapUuid: string, landing: Landing, answer: string): Promise<void> {
    const fill = this.#find(swapUuid);
    if (fill !== null) {
      this.#advance(fill, landing);
      await fill.counted;
    }
    const recorded = await this.#options.log.end(swapUuid, {
      state: landing === 'landed' ? 'confirmed' : 'failed',
      answer,
    });
    if (fill === null) return;
    this.#advance(fill, recorded);
    await fill.counted;
  }

  /**
   * Takes the refusal of a fill that was not signed.
   * @param answer what the taker is told
   * @returns false when the record says that the fill was signed, or has ended already; null when the end cannot be
   *   recorded now, and is to be tried again
   */
  async refused(swapUuid: string, answer: string): Promise<boolean | null> {
    const fill = this.#find(swapUuid);
    const isRejected = fill?.state === 'tampered' || fill?.state === 'rejected';
    const state = isRejected ? 'rejected' : 'expired';
    const recorded = await this.#options.log.end(swapUuid, { state, answer, from: 'offered' });
    if (fill !== null) {
      this.#advance(fill, recorded);
      await fill.counted;
    }
    return recorded === 'unrecorded' ? null : recorded === 'recorded';
  }

  #find(swapUuid: string): Fill | null {
    return this.#pending.get(swapUuid)?.fill ?? this.#past.get(swapUuid);
  }

  #wait(
    fill: Fill,
    { offered, offeredAt }: Pick<FillRecord, 'offered' | 'offeredAt'>,
    look: Pick<PendingFill, 'prospects' | 'refusal'> & { readonly terms: FillTerms },
  ): { readonly pending: PendingFill; readonly answered: Promise<CoSigned> } {
    const { swapUuid, makerId } = fill;
    let answer: PendingFill['answer'] = () => {};
    const answered = new Promise<CoSigned>((resolve) => {
      answer = resolve;
    });
    const pending: PendingFill = {
      fill,
      offered: { swapUuid, makerId, transaction: offered },
      offeredAt,
      answer,
      claim: claimOf(swapUuid, look.terms),
      prospects: look.prospects,
      refusal: look.refusal,
      signed: null,
      stopWaiting: () => {},
    };
    this.#pending.set(swapUuid, pending);
    return { pending, answered };
  }

  #awaitDeadline({ fill, offeredAt }: PendingFill, event: 'deadline' | 'abandoned'): () => void {
    const { timers } = this.#options;
    const left = Math.max(0, offeredAt + LAST_LOOK_MS - timers.now());
    return timers.after(left, () => void this.#advance(fill, event));
  }

  #giveUp(pending: PendingFill, reason: string): void {
    const { state } = pending.fill;
    if (state !== 'offered' && state !== 'due') return;
    pending.refusal = { refused: 'rejected', reason };
    pending.fill.why = uncountedReason(reason);
    this.#advance(pending.fill, 'hopeless');
  }

  #advance(fill: Fill, event: FillEvent): void {
    const step = advanceFill(fill.state, event);
    if (step === null) return;
    const { swapUuid } = fill;
    const pending = this.#pending.get(swapUuid);
    fill.state = step.state;
    if (step.state !== 'offered') pending?.stopWaiting();
    if (step.state !== 'offered' && step.state !== 'due') pending?.prospects?.close();
    if (!isPending(step.state)) {
      this.#pending.delete(swapUuid);
      this.#past.add(fill);
    }
    for (const action of step.actions) {
      if (pending !== undefined) this.#actOnPending(action, pending);
      this.#act(action, fill);
    }
  }

  /** Does what concerns only fills that wait. */
  #actOnPending(action: FillAction, pending: PendingFill): void {
    const { reservations, conduct } = this.#options;
    const { fill, claim, offered, signed } = pending;
    const { swapUuid, makerId } = fill;
    // Whoever is answered records the end, after which nothing is counted any more.
    const answer = (answered: CoSigned) => void fill.counted.then(() => pending.answer(answered));
    switch (action) {
      case 'judge':
        void this.#judge(pending);
        break;
      case 'store':
        void this.#store(pending);
        break;
      case 'submit':
        if (signed !== null) answer({ swapUuid, wire: signed });
        break;
      case 'refuse':
        answer({ ...refusalOf(pending), swapUuid });
        break;
      case 'hold':
        reservations.hold(claim);
        break;
      case 'count-tampered': {
        const { messageBytes } = parseTransaction(offered.transaction);
        fill.counted = conduct.tampered(makerId, swapUuid, messageBytes, signed ?? new Uint8Array(0));
        break;
      }
    }
  }

  #act(action: FillAction, fill: Fill): void {
    const { reservations, conduct, link } = this.#options;
    const { swapUuid, makerId } = fill;
    switch (action) {
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
        fill.counted = conduct.missed(makerId, swapUuid);
        break;
      case 'tell-confirmed':
        link.confirmed(makerId, swapUuid, fill.signature);
        break;
      case 'tell-failed':
        link.failed(makerId, swapUuid, fill.why ?? endText(fill.state));
        break;
    }
  }

  /** The maker has missed the fill only if that could have succeeded. */
  async #judge(pending: PendingFill): Promise<void> {
    const { fill, prospects } = pending;
    if (prospects === null) {
      this.#advance(fill, 'missed');
      return;
    }
    const obstacle = await prospects.obstacle().catch((error: unknown) => {
      this.#options.onDefect(error);
      return 'whether the swap could have succeeded is not known';
    });
    const why = obstacle ?? this.#overbooked(pending);
    if (why === null) this.#advance(fill, 'missed');
    else this.#giveUp(pending, why);
  }

  /** A maker may decline what goes beyond all that it has signed, also where takers of that can no longer pay. */
  #overbooked({ claim }: PendingFill): string | null {
    return this.#options.reservations.signed(claim).wasOverbooked() ? OVERBOOKED : null;
  }

  async #store(pending: PendingFill): Promise<void> {
    const { fill, signed } = pending;
    const isStored = signed !== null && (await this.#options.log.sign(fill.swapUuid, signed));
    if (!isStored) {
      pending.refusal = UNRECORDED;
      fill.why = WITHHELD;
    }
    this.#advance(fill, isStored ? 'stored' : 'unstored');
  }
}

function newFill(
  { swapUuid, makerId }: Pick<FillRecord, 'swapUuid' | 'makerId'>,
  signature: string,
  state: RecordedState,
): Fill {
  return { swapUuid, makerId, signature, state, why: null, counted: Promise.resolve() };
}

/** Whether a fill in this state waits for its maker or for the chain. */
function isPending(state: FillState): boolean {
  return state === 'offered' || state === 'due' || state === 'submitted' || state === 'landing';
}

/** Why the fill is not made, for whoever asked for it. */
function refusalOf({ fill, refusal }: Pick<PendingFill, 'fill' | 'refusal'>): Reason {
  switch (fill.state) {
    case 'missed':
      return MISSED;
    case 'tampered':
      return TAMPERED;
    default:
      return refusal;
  }
}
