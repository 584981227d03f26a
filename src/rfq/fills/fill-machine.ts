import { parseTransaction } from '../../solana/messages/transaction.ts';
import type { Reservations } from '../books/reservations.ts';
import type { FillTerms } from '../../swaps/fill-terms.ts';
import type { MakerScoring } from '../makers/maker-scoring.ts';
import type { MakerLink, OfferedSwap } from '../streams/maker-link.ts';
import type { CoSignResult } from './prospects/co-signing.ts';
import { toInventoryClaim, type Fill, PastFills, type PendingFill } from './fill.ts';
import type { FillLog } from './fill-log.ts';
import type { FillRecord } from './fill-records.ts';
import { formatFillEnd, toFillRefusal, formatUncountedReason, UNRECORDED, WITHHELD } from './fill-results.ts';
import { advanceFill, type FillAction, type FillEvent, isPending } from './fill-state.ts';

const OVERBOOKED =
  'the maker did not sign, and had signed other swaps for the same inventory, whose takers could no longer pay';

/** The number of past fills that are kept, so that a late submission can be distinguished from one of an unknown fill. */
const MAX_REMEMBERED = 32_768;

export interface FillMachineOptions {
  readonly link: MakerLink;
  readonly scoring: MakerScoring;
  readonly log: FillLog;
  readonly reservations: Reservations;
  readonly onDefect: (error: unknown) => void;
}

/** What a fill needs while it waits, beyond its record. */
interface WaitingFill extends Pick<PendingFill, 'prospects' | 'refusal' | 'mayBePushed'> {
  readonly terms: FillTerms;
}

/**
 * Holds the fills over streams of this process and drives them through their states: each event is looked up in the table
 * of `fill-state.ts`, and the actions that it names are carried out. Nothing else changes the state of such a fill.
 * `WebhookSettlement` changes those of the fills that makers land themselves.
 */
export class FillMachine {
  readonly #options: FillMachineOptions;
  readonly #pending = new Map<string, PendingFill>();
  readonly #past = new PastFills(MAX_REMEMBERED);

  constructor(options: FillMachineOptions) {
    this.#options = options;
  }

  /** Returns the fill, pending or past; null if this process does not know it. */
  find(swapUuid: string): Fill | null {
    return this.#pending.get(swapUuid)?.fill ?? this.#past.get(swapUuid);
  }

  findPending(swapUuid: string): PendingFill | undefined {
    return this.#pending.get(swapUuid);
  }

  findPast(swapUuid: string): Fill | null {
    return this.#past.get(swapUuid);
  }

  /** Returns the swaps that wait for the signature of this maker and may be pushed to it. */
  offeredTo(makerId: string): readonly OfferedSwap[] {
    const waiting = [...this.#pending.values()].filter(
      ({ fill, mayBePushed }) => mayBePushed && fill.state === 'offered' && fill.makerId === makerId,
    );
    return waiting.map(({ offered }) => offered);
  }

  /** Gives up the fills that this maker has not signed, without counting them against it. */
  giveUpAll(makerId: string, reason: string): void {
    for (const pending of [...this.#pending.values()]) {
      if (pending.fill.makerId === makerId) this.giveUp(pending, reason);
    }
  }

  /** Returns the sentence for a maker that submits a fill that is not pending. */
  lateSubmission(makerId: string, swapUuid: string): string {
    return this.#past.lateSubmission(makerId, swapUuid);
  }

  /** Adds a fill that is over for this process. */
  addPast(fill: Fill): void {
    this.#past.add(fill);
  }

  /**
   * Adds a fill that waits for its maker or for the chain.
   * Returns the fill, and a promise of the maker's signature or of the reason why there is none.
   */
  addPending(
    fill: Fill,
    { offered, offeredAt }: Pick<FillRecord, 'offered' | 'offeredAt'>,
    { terms, prospects, refusal, mayBePushed }: WaitingFill,
  ): { readonly pending: PendingFill; readonly answered: Promise<CoSignResult> } {
    const { swapUuid, makerId } = fill;
    let answer: PendingFill['answer'] = () => {};
    const answered = new Promise<CoSignResult>((resolve) => {
      answer = resolve;
    });
    const pending: PendingFill = {
      fill,
      offered: { swapUuid, makerId, transaction: offered },
      offeredAt,
      answer,
      claim: toInventoryClaim(swapUuid, terms),
      prospects,
      refusal,
      mayBePushed,
      signed: null,
      cancelDeadline: () => {},
    };
    this.#past.delete(swapUuid);
    this.#pending.set(swapUuid, pending);
    return { pending, answered };
  }

  /** Gives up a fill that its maker has not signed, without counting it against the maker. */
  giveUp(pending: PendingFill, reason: string): void {
    const { state } = pending.fill;
    if (state !== 'offered' && state !== 'due') return;
    pending.refusal = { refused: 'rejected', reason };
    pending.fill.failureText = formatUncountedReason(reason);
    this.advance(pending.fill, 'hopeless');
  }

  /** Applies an event to the fill. An event that does not matter in the fill's state is ignored. */
  advance(fill: Fill, event: FillEvent): void {
    const step = advanceFill(fill.state, event);
    if (step === null) return;
    const pending = this.#pending.get(fill.swapUuid);
    fill.state = step.state;
    if (step.state !== 'offered') pending?.cancelDeadline();
    if (step.state !== 'offered' && step.state !== 'due') pending?.prospects?.close();
    if (!isPending(step.state)) {
      this.#pending.delete(fill.swapUuid);
      this.#past.add(fill);
    }
    for (const action of step.actions) {
      if (pending !== undefined) this.#actOnPending(action, pending);
      this.#act(action, fill);
    }
  }

  /** Carries out the actions that exist for pending fills only. */
  #actOnPending(action: FillAction, pending: PendingFill): void {
    const { reservations, scoring } = this.#options;
    const { fill, claim, offered, signed } = pending;
    const { swapUuid, makerId } = fill;
    // The caller records the end as soon as it has the answer, so the score must be counted before.
    const answer = (result: CoSignResult) => void fill.counted.then(() => pending.answer(result));
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
        answer({ ...toFillRefusal(fill.state, pending.refusal), swapUuid });
        break;
      case 'hold':
        reservations.hold(claim);
        break;
      case 'count-tampered': {
        const { messageBytes } = parseTransaction(offered.transaction);
        fill.counted = scoring.tampered(makerId, swapUuid, messageBytes, signed ?? new Uint8Array(0));
        break;
      }
    }
  }

  #act(action: FillAction, fill: Fill): void {
    const { reservations, scoring, link } = this.#options;
    const { swapUuid, makerId } = fill;
    switch (action) {
      case 'release':
        reservations.release(makerId, swapUuid);
        break;
      case 'settle':
        reservations.settle(makerId, swapUuid);
        break;
      case 'count-filled':
        fill.counted = scoring.filled(makerId, swapUuid);
        break;
      case 'count-missed':
        fill.counted = scoring.missed(makerId, swapUuid);
        break;
      case 'notify-confirmed':
        link.confirmed(makerId, swapUuid, fill.signature);
        break;
      case 'notify-failed':
        link.failed(makerId, swapUuid, fill.failureText ?? formatFillEnd(fill.state));
        break;
    }
  }

  /** The maker has missed the fill only if the fill could have succeeded with its signature. */
  async #judge(pending: PendingFill): Promise<void> {
    const { fill, prospects } = pending;
    if (prospects === null) {
      this.advance(fill, 'missed');
      return;
    }
    const obstacle = await prospects.obstacle().catch((error: unknown) => {
      this.#options.onDefect(error);
      return 'whether the swap could have succeeded is not known';
    });
    const reason = obstacle ?? this.#overbooked(pending);
    if (reason === null) this.advance(fill, 'missed');
    else this.giveUp(pending, reason);
  }

  /** A maker may decline a fill that exceeds its inventory, counting fills whose takers can no longer pay. */
  #overbooked({ claim }: PendingFill): string | null {
    return this.#options.reservations.signedClaim(claim).wasOverbooked() ? OVERBOOKED : null;
  }

  async #store(pending: PendingFill): Promise<void> {
    const { fill, signed } = pending;
    const isStored = signed !== null && (await this.#options.log.sign(fill.swapUuid, signed));
    if (!isStored) {
      pending.refusal = UNRECORDED;
      fill.failureText = WITHHELD;
    }
    this.advance(fill, isStored ? 'stored' : 'unstored');
  }
}
