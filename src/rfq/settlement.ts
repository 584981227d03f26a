import { parseTransaction } from '../solana/transaction.ts';
import type { Timers } from '../timers.ts';
import { SETTLING_SECONDS } from './book-venue.ts';
import type { CoSigned, FillRequest, Refusal } from './co-signing.ts';
import { advanceFill, type FillAction, type FillEvent, type FillState } from './fill-state.ts';
import type { FillRecord, FillRecords } from './fill-records.ts';
import type { FillTerms } from './fill-terms.ts';
import type { MakerConduct } from './maker-conduct.ts';
import type { LastLook, MakerLink, OfferedSwap, SubmittedSwap } from './maker-link.ts';
import type { Claim, Reservations } from './reservations.ts';
import { readReturned } from './returned-swap.ts';

/** From the push of a swap to the maker's signature. */
export const LAST_LOOK_MS = 10_000;
/** For so many swaps, makers are told apart what is late and what never was, and requests what is new. */
const REMEMBERED = 32_768;

export interface SettlementParts {
  readonly link: MakerLink;
  readonly conduct: MakerConduct;
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

interface Fill {
  state: FillState;
  readonly claim: Claim;
  readonly signature: string;
  readonly offered: OfferedSwap;
  readonly pushedAt: number;
  /** Answers whoever waits for the signature; called once. */
  readonly answer: (answer: CoSigned) => void;
  stopWaiting: () => void;
  signed: Uint8Array | null;
  /** Whether the record is there; while that is not known, nothing is signed for good. */
  begun: Promise<boolean>;
  /** What whoever waits is told when the swap is given up for another reason than its maker. */
  refusal: { readonly refused: Refusal; readonly reason: string };
}

/**
 * Swaps between the taker's signature and the chain: the only owner of their state. Its records survive a restart,
 * and what a maker signed is among them before it is sent.
 */
export class Settlement implements LastLook {
  readonly #parts: SettlementParts;
  readonly #fills = new Map<string, Fill>();
  /** The last swaps that came to an end, oldest first, with the maker's id and why. */
  readonly #ended = new Map<string, { readonly makerId: string; readonly why: string }>();

  /** Requests that were or may be recorded, oldest first. */
  readonly #seen = new Set<string>();

  constructor(parts: SettlementParts) {
    this.#parts = parts;
  }

  /** Asks the maker for its signature; resolves within ten seconds from the push, and some for the records. */
  async coSign(request: FillRequest): Promise<CoSigned> {
    const { terms, requestId, wire, order } = request;
    const { reservations, records, newUuid, timers, chainTime } = this.#parts;
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
    this.#remember(requestId);
    return this.#offer(request, claim, () =>
      records.begin({
        ...{ swapUuid, requestId, makerId: terms.makerId, order, offered: wire, offeredAt: timers.now() },
      }),
    );
  }

  submitted({ makerId, swapUuid, signedTransaction }: SubmittedSwap): string | null {
    const fill = this.#fills.get(swapUuid);
    if (fill === undefined || fill.claim.makerId !== makerId) return this.#strange(makerId, swapUuid);
    if (fill.state !== 'offered') return `the swap ${swapUuid} was submitted before`;
    const returned = readReturned(signedTransaction, fill.offered.transaction);
    if (returned.kind === 'unusable') return `the swap ${swapUuid} waits on: ${returned.reason}`;
    if (returned.kind === 'tampered') {
      this.#advance(swapUuid, fill, 'tampered', returned.message);
      return `the swap ${swapUuid} was returned with another message than it was offered with: it is rejected`;
    }
    fill.signed = returned.wire;
    this.#parts.noteLastLook(makerId, this.#parts.timers.now() - fill.pushedAt);
    this.#advance(swapUuid, fill, 'signed');
    return null;
  }

  pending(makerId: string): readonly OfferedSwap[] {
    const waiting = [...this.#fills.values()].filter(
      ({ state, claim }) => state === 'offered' && claim.makerId === makerId,
    );
    return waiting.map(({ offered }) => offered);
  }

  /** What became of a swap whose transaction was signed. @param answer for who asks for the request again */
  async landed(swapUuid: string, succeeded: boolean, answer: string): Promise<void> {
    const fill = this.#fills.get(swapUuid);
    if (fill !== undefined) this.#advance(swapUuid, fill, succeeded ? 'landed' : 'lost');
    await this.#end(swapUuid, succeeded ? 'confirmed' : 'failed', answer);
  }

  /** What became of a swap that was not signed. */
  async refused(swapUuid: string, answer: string): Promise<void> {
    const why = this.#ended.get(swapUuid)?.why;
    await this.#end(swapUuid, why === TAMPERED ? 'rejected' : 'expired', answer);
  }

  /** A record that stays without its end is resolved against the chain after the next restart. */
  async #end(swapUuid: string, state: FillState, answer: string): Promise<void> {
    try {
      await this.#parts.records.end(swapUuid, state, answer);
    } catch (error) {
      this.#parts.onDefect(error);
    }
  }

  async known(requestId: string): Promise<FillRecord | null> {
    const record = await this.#parts.records.byRequest(requestId);
    if (record !== null) this.#remember(requestId);
    return record;
  }

  /** Whether this process has seen a record for the request; a new request need not wait for a look at them. */
  hasSeen(requestId: string): boolean {
    return this.#seen.has(requestId);
  }

  unfinished(): Promise<readonly FillRecord[]> {
    return this.#parts.records.unfinished();
  }

  /** Takes over a signed swap of a process that is gone; `landed` ends it. */
  resume({ swapUuid, offered, makerId }: FillRecord, terms: FillTerms, signature: string): void {
    if (this.#fills.has(swapUuid)) return;
    const claim = claimOf(swapUuid, terms);
    this.#parts.reservations.hold(claim);
    this.#fills.set(swapUuid, {
      ...{ state: 'landing', claim, signature, signed: null },
      ...{ offered: { swapUuid, makerId, transaction: offered }, answer: () => {}, stopWaiting: () => {} },
      ...{ begun: Promise.resolve(true), refusal: UNRECORDED, pushedAt: this.#parts.timers.now() },
    });
  }

  /** Pushes the swap while its record is being written, which takes longer: both must be there before it is signed. */
  #offer({ wire, signature }: FillRequest, claim: Claim, begin: () => Promise<boolean>): Promise<CoSigned> {
    const { swapUuid, makerId } = claim;
    const { link, timers } = this.#parts;
    return new Promise((answer) => {
      const offered = { swapUuid, makerId, transaction: wire };
      const fill: Fill = {
        ...{ state: 'offered', claim, signature, offered, answer, signed: null, stopWaiting: () => {} },
        begun: new Promise<never>(() => {}),
        pushedAt: timers.now(),
        refusal: { refused: 'rejected', reason: 'the maker is not connected at present' },
      };
      this.#fills.set(swapUuid, fill);
      fill.stopWaiting = timers.after(LAST_LOOK_MS, () => this.#advance(swapUuid, fill, 'deadline'));
      if (!link.offer(offered)) {
        this.#advance(swapUuid, fill, 'withdrawn');
        return;
      }
      fill.begun = this.#begin(fill, begin);
      fill.begun.then((isNew) => {
        if (!isNew) this.#advance(swapUuid, fill, 'withdrawn');
      });
    });
  }

  async #begin(fill: Fill, begin: () => Promise<boolean>): Promise<boolean> {
    try {
      const isNew = await begin();
      if (!isNew) fill.refusal = { refused: 'known', reason: 'the request was made before' };
      return isNew;
    } catch (error) {
      this.#parts.onDefect(error);
      fill.refusal = UNRECORDED;
      return false;
    }
  }

  #advance(swapUuid: string, fill: Fill, event: FillEvent, returned?: Uint8Array): void {
    const step = advanceFill(fill.state, event);
    if (step === null) return;
    fill.state = step.state;
    if (step.state !== 'offered') fill.stopWaiting();
    for (const action of step.actions) this.#act(action, swapUuid, fill, returned);
    this.#answer(swapUuid, fill, event);
  }

  #act(action: FillAction, swapUuid: string, fill: Fill, returned?: Uint8Array): void {
    const { reservations, conduct, link } = this.#parts;
    const { claim, offered, signature } = fill;
    const { makerId } = claim;
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
        conduct.filled(makerId, swapUuid);
        break;
      case 'count-missed':
        conduct.missed(makerId, swapUuid);
        break;
      case 'count-tampered':
        conduct.tampered(makerId, swapUuid, messageOf(offered), returned ?? new Uint8Array(0));
        break;
      case 'tell-confirmed':
        link.confirmed(makerId, swapUuid, signature);
        break;
      case 'tell-failed':
        link.failed(makerId, swapUuid, WHY[fill.state] ?? 'the swap was not made');
        break;
    }
  }

  async #store(swapUuid: string, fill: Fill): Promise<void> {
    const { records, onDefect } = this.#parts;
    const unwritten = (error: unknown): false => {
      onDefect(error);
      return false;
    };
    let stored = false;
    if (await fill.begun) {
      fill.refusal = UNRECORDED;
      stored = fill.signed !== null && (await records.sign(swapUuid, fill.signed).catch(unwritten));
    }
    this.#advance(swapUuid, fill, stored ? 'stored' : 'unstored');
  }

  /** Tells whoever waits, as soon as there is something to tell, and forgets what is over. */
  #answer(swapUuid: string, fill: Fill, event: FillEvent): void {
    const { state, signed, answer, claim } = fill;
    if (state === 'landing' && signed !== null) answer({ swapUuid, wire: signed });
    const why = WHY[state];
    if (why === undefined) return;
    this.#fills.delete(swapUuid);
    this.#ended.set(swapUuid, { makerId: claim.makerId, why });
    const [oldest] = this.#ended.keys();
    if (this.#ended.size > REMEMBERED && oldest !== undefined) this.#ended.delete(oldest);
    if (event === 'deadline') answer({ refused: 'expired', reason: why, swapUuid });
    if (event === 'tampered') answer({ refused: 'rejected', reason: why, swapUuid });
    if (event === 'unstored' || event === 'withdrawn') answer({ ...fill.refusal, swapUuid });
  }

  #remember(requestId: string): void {
    this.#seen.add(requestId);
    const [oldest] = this.#seen;
    if (this.#seen.size > REMEMBERED && oldest !== undefined) this.#seen.delete(oldest);
  }

  #strange(makerId: string, swapUuid: string): string {
    const ended = this.#ended.get(swapUuid);
    return ended?.makerId === makerId
      ? `the swap ${swapUuid} is over: ${ended.why}`
      : `there is no swap ${swapUuid} of this maker that waits for a signature`;
  }
}

const UNRECORDED = { refused: 'failed', reason: 'the swap could not be recorded' } as const;
const TAMPERED = 'the maker returned another message than it was offered';

/** The ends of a swap, in words. */
const WHY: Readonly<Partial<Record<FillState, string>>> = {
  confirmed: 'it is confirmed',
  failed: 'the transaction failed or did not land',
  expired: `the maker did not sign within ${LAST_LOOK_MS / 1_000} seconds`,
  rejected: TAMPERED,
};

function claimOf(swapUuid: string, { makerId, base, quote, pays, most }: FillTerms): Claim {
  return { swapUuid, makerId, base, quote, mint: pays, amount: most };
}

function messageOf({ transaction }: OfferedSwap): Uint8Array {
  return parseTransaction(transaction).messageBytes;
}
