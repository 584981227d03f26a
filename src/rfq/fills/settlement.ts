import { ChainUnavailable } from '../../chain/chain.ts';
import type { Timers } from '../../common/ports/timers.ts';
import type { ReservationRefusal, Reservations, SignedClaim } from '../books/reservations.ts';
import { SETTLING_SECONDS } from '../liquidity/fill-times.ts';
import type { Address } from '../../solana/address.ts';
import type { FillTerms } from '../../swaps/fill-terms.ts';
import type { ExecutionResult } from '../../swaps/orders/execution-result.ts';
import type { MakerScoring } from '../makers/maker-scoring.ts';
import type { LastLook, MakerLink, OfferedSwap, SubmittedSwap } from '../streams/maker-link.ts';
import type { CoSignResult, FillCheck, FillRefusal, FillRequest } from './prospects/co-signing.ts';
import { toInventoryClaim, createFill, type PendingFill } from './fill.ts';
import type { FillLog } from './fill-log.ts';
import { FillMachine } from './fill-machine.ts';
import type { FillRecord } from './fill-records.ts';
import {
  ALREADY_REQUESTED,
  formatFillEnd,
  INTERRUPTED,
  LAST_LOOK_MS,
  toFillRefusal,
  UNCHECKED,
  UNCONNECTED,
  UNRECORDED,
} from './fill-results.ts';
import { advanceFill, type FillEvent, isPending } from './fill-state.ts';
import { readReturned } from './returned-swap.ts';

export interface SettlementOptions {
  readonly link: MakerLink;
  readonly scoring: MakerScoring;
  readonly log: FillLog;
  readonly reservations: Reservations;
  /** Measures the deadlines of makers. */
  readonly timers: Timers;
  readonly newUuid: () => string;
  /** Unix seconds by the chain's clock. */
  readonly chainTime: () => bigint;
  /** Returns the wallet of the maker that has the id now; null if there is none. Default: always the one that quoted. */
  readonly findWallet?: (makerId: string) => Address | null;
  readonly onDefect: (error: unknown) => void;
  /** Called with the milliseconds from an offer to the maker's signature. */
  readonly noteLastLook: (makerId: string, milliseconds: number) => void;
}

/** How a submitted transaction ended. */
export type FillLanding = Extract<FillEvent, 'landed' | 'lost' | 'broken'>;

/**
 * Has makers sign fills, and takes the results of fills. A signature is recorded before the transaction is submitted, so
 * that a restart continues every fill. Their states are changed by `FillMachine` alone.
 *
 * @example
 * ```ts
 * import type { FillCheck, FillRequest } from './prospects/co-signing.ts';
 * import type { Settlement } from './settlement.ts';
 *
 * async function sign(settlement: Settlement, request: FillRequest, check: FillCheck): Promise<Uint8Array> {
 *   const signed = await settlement.coSign(request, check);
 *   if (signed.refused !== undefined) throw new Error(signed.reason);
 *   return signed.wire;
 * }
 * ```
 */
export class Settlement implements LastLook {
  readonly #options: SettlementOptions;
  readonly #machine: FillMachine;

  constructor(options: SettlementOptions) {
    const { link, scoring, log, reservations, onDefect } = options;
    this.#options = options;
    this.#machine = new FillMachine({ link, scoring, log, reservations, onDefect });
  }

  /**
   * Records the fill while it is being checked, reserves the maker's inventory, and has the maker sign. Takes up to ten
   * seconds from the push, plus the time for the check and the records. Nothing is reserved for a taker that cannot pay,
   * and only a fill that is recorded and would succeed is pushed. The reservation ends as soon as the prospects say that
   * the fill cannot succeed.
   * @param check - Null if the fill may be pushed unchecked: a missing signature counts against the maker in any case.
   * @param isRepeated - Whether the request was refused before. It is then recorded only after the check, so that a taker
   *   that cannot pay causes one write for each order.
   * @returns the transaction with both signatures, or why there is none. Without a `swapUuid`, nothing is recorded.
   * @throws ChainUnavailable if the check cannot be made; nothing is recorded then
   */
  async coSign(
    request: FillRequest,
    check: FillCheck | null = null,
    isRepeated = false,
  ): Promise<CoSignResult> {
    const { order, wire, signature } = request;
    const { requestId, coSigner: terms } = order;
    const { link, reservations, newUuid, timers } = this.#options;
    const swapUuid = newUuid();
    const claim = toInventoryClaim(swapUuid, terms);
    const early =
      this.#lateness(terms) ?? this.#replacement(terms) ?? refusalOfClaim(reservations.refusalOf(claim));
    if (early !== null) return { ...early, swapUuid: null };
    const refused = isRepeated ? await check?.refusal : null;
    if (refused != null) return { ...refused, swapUuid: null };
    const record = {
      swapUuid,
      requestId,
      makerId: terms.makerId,
      order,
      offered: wire,
      offeredAt: timers.now(),
    };
    const unfit = await this.#recordChecked(record, check);
    if (unfit !== null) return unfit;
    // If the maker has reconnected meanwhile, the record was taken for that of another process.
    reservations.release(terms.makerId, swapUuid);
    const late = this.#lateness(terms) ?? refusalOfClaim(reservations.reserve(claim));
    if (late !== null) return this.#discard(swapUuid, late);
    const fill = createFill(record, signature, 'offered');
    const pushed = { offered: wire, offeredAt: timers.now() };
    const prospects = check?.prospects ?? null;
    const { answered, pending } = this.#machine.addPending(fill, pushed, {
      terms,
      prospects,
      refusal: UNCONNECTED,
      mayBePushed: true,
    });
    pending.cancelDeadline = this.#awaitDeadline(pending, 'deadline');
    prospects?.watch((reason) => this.#machine.giveUp(pending, reason));
    if (!link.offer(pending.offered)) this.#machine.advance(fill, 'withdrawn');
    return answered;
  }

  /**
   * Continues a fill whose offer is recorded and whose end is not, for what is left of the maker's time. The ended process
   * may not have pushed the fill, and not even finished its check, so it is pushed only after another check. If the maker
   * has no stream then, it is offered the fill when it connects. If the check cannot be made, the fill is not pushed, but a
   * maker that has it may still return it.
   */
  async resumeLastLook(
    record: FillRecord,
    terms: FillTerms,
    signature: string,
    check: FillCheck,
  ): Promise<CoSignResult> {
    const { swapUuid } = record;
    const ending = this.#options.log.ending(swapUuid);
    // The fill may be ending here since its record was read.
    if (ending !== null) await ending;
    const past = this.#machine.findPast(swapUuid);
    if (past !== null && advanceFill(past.state, 'resumed') === null) {
      return { ...toFillRefusal(past.state, INTERRUPTED), swapUuid };
    }
    const fill = past ?? createFill(record, signature, 'offered');
    const waiting = { terms, prospects: check.prospects, refusal: INTERRUPTED, mayBePushed: false };
    const { answered, pending } = this.#machine.addPending(fill, record, waiting);
    if (past === null) this.#options.reservations.hold(pending.claim);
    else {
      past.failureText = null;
      this.#machine.advance(past, 'resumed');
    }
    pending.cancelDeadline = this.#awaitDeadline(pending, 'abandoned');
    void this.#pushChecked(pending, terms, check);
    return answered;
  }

  /** Continues a fill that is recorded as signed, or was found on chain. `landed` ends it. */
  resumeSubmission(record: FillRecord, terms: FillTerms, signature: string): void {
    const { swapUuid, state } = record;
    if (this.#machine.findPending(swapUuid) !== undefined) return;
    const fill = createFill(record, signature, state);
    const waiting = { terms, prospects: null, refusal: UNRECORDED, mayBePushed: false };
    const { pending } = this.#machine.addPending(fill, record, waiting);
    this.#options.reservations.hold(pending.claim);
    if (state === 'offered') this.#machine.advance(fill, 'found');
  }

  /** Adds a fill that another process has refused, so that its late landing is an event like any other. */
  addRefused(record: FillRecord, signature: string): void {
    if (this.#machine.find(record.swapUuid) !== null) return;
    this.#machine.addPast(createFill(record, signature, record.state));
  }

  submitted({ makerId, swapUuid, signedTransaction }: SubmittedSwap): string | null {
    const pending = this.#machine.findPending(swapUuid);
    if (pending === undefined || pending.fill.makerId !== makerId) {
      return this.#machine.lateSubmission(makerId, swapUuid);
    }
    const { fill, offered, offeredAt } = pending;
    if (fill.state === 'due') return `the swap ${swapUuid} is over: ${formatFillEnd(fill.state)}`;
    if (fill.state !== 'offered') return `the swap ${swapUuid} was submitted before`;
    const returned = readReturned(signedTransaction, offered.transaction);
    switch (returned.kind) {
      case 'unusable':
        return `the swap ${swapUuid} waits on: ${returned.reason}`;
      case 'tampered':
        pending.signed = returned.message;
        this.#machine.advance(fill, 'tampered');
        return `the swap ${swapUuid} was returned with another message than it was offered with: it is rejected`;
      case 'signed':
        pending.signed = returned.wire;
        this.#options.noteLastLook(makerId, this.#options.timers.now() - offeredAt);
        this.#machine.advance(fill, 'signed');
        return null;
    }
  }

  pending(makerId: string): readonly OfferedSwap[] {
    return this.#machine.offeredTo(makerId);
  }

  /** Gives up the swaps that wait for the signature of a maker that the operator removed. Those that it signed go on. */
  withdrawMaker(makerId: string): void {
    this.#machine.giveUpAll(makerId, `the operator removed the maker ${makerId}`);
  }

  knows(swapUuid: string): boolean {
    return this.#machine.find(swapUuid) !== null;
  }

  /** Returns the claim of a fill that its maker has signed. */
  signedClaim(swapUuid: string, terms: FillTerms): SignedClaim {
    return this.#options.reservations.signedClaim(toInventoryClaim(swapUuid, terms));
  }

  /**
   * Takes the outcome of a fill on chain. The fill may have been refused before, because its maker can submit the
   * transaction itself.
   * @param answer - The answer to the taker. Its signature is not the one that was offered if the fee payer landed another.
   */
  async landed(swapUuid: string, outcome: FillLanding, answer: ExecutionResult): Promise<void> {
    const fill = this.#machine.find(swapUuid);
    if (fill !== null) {
      fill.signature = answer.signature ?? fill.signature;
      this.#machine.advance(fill, outcome);
      await fill.counted;
    }
    const recorded = await this.#options.log.end(swapUuid, {
      state: outcome === 'landed' ? 'confirmed' : 'failed',
      answer,
    });
    if (fill === null) return;
    this.#machine.advance(fill, recorded);
    await fill.counted;
  }

  /**
   * Takes the refusal of a fill that was not signed.
   * @param answer - The answer to the taker.
   * @returns false if the record says that the fill was signed or has ended already; null if the end cannot be recorded
   *   now, because the records cannot be written or a repeated request has continued the fill, and must be tried again
   */
  async refused(swapUuid: string, answer: ExecutionResult): Promise<boolean | null> {
    const fill = this.#machine.find(swapUuid);
    if (fill !== null && isPending(fill.state)) return null;
    const isRejected = fill?.state === 'tampered' || fill?.state === 'rejected';
    const state = isRejected ? 'rejected' : 'expired';
    const recorded = await this.#options.log.end(swapUuid, { state, answer, from: 'offered' });
    if (fill !== null) {
      this.#machine.advance(fill, recorded);
      await fill.counted;
    }
    return recorded === 'unrecorded' ? null : recorded === 'recorded';
  }

  /** Returns why there is too little time left for the maker and for landing; null if there is enough. */
  #lateness({ expireAt }: FillTerms): FillRefusal | null {
    if (this.#options.chainTime() <= expireAt - SETTLING_SECONDS) return null;
    const reason = `the order had to be executed ${SETTLING_SECONDS} seconds before its fill ends at ${expireAt}`;
    return { refused: 'expired', reason };
  }

  /**
   * Returns a refusal if the maker that quoted was removed, and another one was registered under its id; null otherwise. The
   * other one must not be sent a swap that it did not quote, and could not sign it.
   */
  #replacement({ makerId, maker }: Pick<FillTerms, 'makerId' | 'maker'>): FillRefusal | null {
    const wallet = this.#options.findWallet?.(makerId) ?? maker;
    if (wallet === maker) return null;
    const reason = `the operator removed the maker ${makerId}, and registered another one under its id`;
    return { refused: 'rejected', reason };
  }

  /**
   * Records the fill and waits for its check, both at once. After the push the maker has the transaction that the taker
   * signed, so a restart must find the fill.
   * Returns null if it is recorded and may be pushed.
   */
  async #recordChecked(
    record: Parameters<FillLog['begin']>[0],
    check: FillCheck | null,
  ): Promise<CoSignResult | null> {
    const { swapUuid } = record;
    const { log, onDefect } = this.#options;
    const [begun, checked] = await Promise.allSettled([log.begin(record), check?.refusal]);
    if (begun.status === 'rejected') throw begun.reason;
    const unrecorded = begun.value;
    const refusal = checked.status === 'rejected' ? UNCHECKED : (checked.value ?? null);
    // The record of another process says how the request continues.
    if (unrecorded?.refused === 'known') return { ...unrecorded, swapUuid };
    if (refusal === null) return unrecorded === null ? null : { ...unrecorded, swapUuid };
    // A write that failed may have been made all the same, so its fill has to be ended.
    const discarded: CoSignResult =
      unrecorded === null ? await this.#discard(swapUuid, refusal) : { ...refusal, swapUuid };
    if (checked.status === 'rejected') {
      if (discarded.swapUuid === null) throw checked.reason;
      if (!(checked.reason instanceof ChainUnavailable)) onDefect(checked.reason);
    }
    return discarded;
  }

  /** Removes the record of a fill that was not pushed. If that fails, the caller has to end the fill. */
  async #discard(swapUuid: string, refusal: FillRefusal): Promise<CoSignResult> {
    const discarded = await this.#options.log.discard(swapUuid);
    if (discarded === 'superseded') return { ...ALREADY_REQUESTED, swapUuid };
    return { ...refusal, swapUuid: discarded === 'recorded' ? null : swapUuid };
  }

  async #pushChecked(
    pending: PendingFill,
    terms: FillTerms,
    { refusal, prospects }: FillCheck,
  ): Promise<void> {
    const { onDefect, link } = this.#options;
    try {
      const refused = (await refusal) ?? this.#replacement(terms);
      if (refused !== null) this.#machine.giveUp(pending, refused.reason);
      else if (pending.fill.state === 'offered') {
        pending.mayBePushed = true;
        prospects.watch((reason) => this.#machine.giveUp(pending, reason));
        link.offer(pending.offered);
      }
    } catch (error) {
      if (!(error instanceof ChainUnavailable)) onDefect(error);
    }
  }

  #awaitDeadline({ fill, offeredAt }: PendingFill, event: 'deadline' | 'abandoned'): () => void {
    const { timers } = this.#options;
    const left = Math.max(0, offeredAt + LAST_LOOK_MS - timers.now());
    return timers.after(left, () => this.#machine.advance(fill, event));
  }
}

function refusalOfClaim(refusal: ReservationRefusal | null): FillRefusal | null {
  if (refusal === null) return null;
  const { refused, reason } = refusal;
  return { refused: refused === 'expired' ? 'expired' : 'rejected', reason };
}
