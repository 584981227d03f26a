import type { Chain, SignatureStatus } from '../../chain/chain.ts';
import { BoundedCache } from '../../common/collections/bounded-cache.ts';
import type { Timers } from '../../common/ports/timers.ts';
import type { CheckedTransaction } from './check-submission.ts';
import { Flight } from './flight.ts';
import {
  beginLanding,
  type Landing,
  type LandingOutcome,
  type OwnSubmission,
  type UnfinishedLanding,
} from './landing.ts';
import type { Party } from '../../common/party.ts';
import { PLACE_LIMITS, type PlaceLimits, Places, toSubmitterBeforeRestart } from './places.ts';
import { Sightings } from './sightings.ts';
import type { Sender } from './sender.ts';
import { toNullIfUnavailable } from '../submit/submit-and-read.ts';
import { RESEND_MS } from '../submit/open-submission.ts';
import { type SendResult, sendOnce } from '../submit/send-once.ts';
import { STATUSES_PER_CALL } from '../submit/transaction-lookup.ts';

const POLL_MS = 200;
/** The most transactions that one round sends again. It bounds the cost of transactions that never land. */
const MAX_RESENDS_PER_ROUND = 100;
const MAX_CALLS_PER_ROUND = 8;
/** The most organisations that get a report about one transaction. Others can submit it too, but get no report. */
const MAX_SUBMISSIONS = 16;
/**
 * The number of ended landings that are remembered. A transaction among them is not sent again when it is submitted
 * again.
 */
const MAX_REMEMBERED = 10_000;

export interface LanderDependencies {
  readonly chain: Pick<Chain, 'blockHeight' | 'lastValidHeightOf' | 'signatureStatuses'>;
  /** Each transaction goes through all of them at once. */
  readonly senders: readonly Sender[];
  /** The number of blocks after its own in which a blockhash can be used. */
  readonly blockhashSlots: number;
  readonly timers: Timers;
  readonly limits?: PlaceLimits;
  /** Called when something about a landing has changed. */
  readonly onChange: (landing: Landing) => void;
  /** Called after each call of a sender, with the sender's name. */
  readonly onForwarded?: (sender: string, result: SendResult['kind']) => void;
  readonly onDefect: (error: unknown) => void;
}

export type SubmitResult =
  | { readonly ok: true; readonly landing: Landing }
  | { readonly ok: false; readonly error: 'submitter-is-full' | 'all-full' };

/**
 * Lands transactions: sends each one at once through all senders, and again until it is in a block or its blockhash has
 * expired. One transaction that several callers submit is sent as if it came from one.
 *
 * @example
 * ```ts
 * import type { CheckedTransaction } from './check-submission.ts';
 * import type { Lander } from './lander.ts';
 *
 * function land(lander: Lander, transaction: CheckedTransaction, organisation: string): string {
 *   const submitted = lander.submit(transaction, { kind: 'organisation', id: organisation }, 'c0ffee');
 *   return submitted.ok ? 'accepted' : submitted.error;
 * }
 * ```
 */
export class Lander {
  readonly #dependencies: LanderDependencies;
  readonly #places: Places;
  readonly #sightings: Sightings;
  readonly #flights = new Map<string, Flight>();
  readonly #ended = new BoundedCache<string, Landing>(MAX_REMEMBERED);
  #round: (() => void) | null = null;
  #isClosed = false;
  /** The index of the first transaction whose status the next round asks for. */
  #asked = 0;

  constructor(dependencies: LanderDependencies) {
    this.#dependencies = dependencies;
    this.#sightings = new Sightings(dependencies.senders);
    this.#places = new Places(dependencies.limits ?? PLACE_LIMITS);
  }

  /** The number of transactions that are being landed. */
  get size(): number {
    return this.#flights.size;
  }

  /** Whether exactly these bytes are being landed, or were lately. */
  knows(signature: string, wire: Uint8Array): boolean {
    const known = this.#flights.get(signature)?.landing ?? this.#ended.get(signature);
    return known !== undefined && Buffer.compare(known.transaction.wire, wire) === 0;
  }

  /**
   * Starts to land a transaction, unless it is being landed already or was landed recently.
   * @param requestId - The id of the request that submits it.
   */
  submit(transaction: CheckedTransaction, submitter: Party, requestId: string): SubmitResult {
    const { timers } = this.#dependencies;
    const { signature } = transaction;
    const now = timers.now();
    const organisationId = submitter.kind === 'organisation' ? submitter.id : null;
    const own = { organisationId, requestId, acceptedAt: now, forwardedAt: null };
    const known = this.#flights.get(signature)?.landing ?? this.#ended.get(signature);
    if (known !== undefined) {
      this.#add(known, { ...own, sendsBefore: known.sends });
      return { ok: true, landing: known };
    }
    const full = this.#places.take(submitter);
    if (full !== null) return { ok: false, error: full };
    const lastHeight = this.#lastHeightOf(transaction);
    const landing = beginLanding(transaction, {
      acceptedAt: now,
      lastHeight,
      submissions: [{ ...own, sendsBefore: 0 }],
    });
    const flight = new Flight(landing, submitter, now + RESEND_MS);
    this.#begin(flight);
    this.#send(flight);
    this.#dependencies.onChange(landing);
    return { ok: true, landing };
  }

  /**
   * Continues the landings that a process had not finished when it ended, as far as there are places. The rounds send a
   * bounded number at a time, because sending thousands at once would delay other calls to the network.
   */
  resume(unfinished: readonly UnfinishedLanding[]): void {
    const now = this.#dependencies.timers.now();
    for (const { transaction, lastHeight, forwardedAt, seenAt, sends, ...rest } of unfinished) {
      const { organisationId, requestId, acceptedAt } = rest;
      const own = { organisationId, requestId, acceptedAt, forwardedAt };
      const known = this.#flights.get(transaction.signature);
      if (known !== undefined) {
        this.#add(known.landing, { ...own, sendsBefore: known.landing.sends - sends });
        continue;
      }
      const submitter = toSubmitterBeforeRestart(organisationId, transaction.signature);
      if (this.#places.take(submitter) !== null) continue;
      const landing = beginLanding(transaction, {
        acceptedAt,
        lastHeight,
        submissions: [{ ...own, sendsBefore: 0 }],
      });
      Object.assign(landing, { forwardedAt, seenAt, sends });
      this.#begin(new Flight(landing, submitter, now));
    }
  }

  /** Stops the rounds, so that nothing is sent any more. */
  close(): void {
    this.#isClosed = true;
    this.#round?.();
  }

  /** An unknown blockhash and a durable nonce are treated like the newest blockhash. */
  #lastHeightOf({ blockhash, isDurable }: CheckedTransaction): bigint {
    const { chain, blockhashSlots } = this.#dependencies;
    const known = isDurable ? null : chain.lastValidHeightOf(blockhash);
    return known ?? chain.blockHeight('processed') + BigInt(blockhashSlots);
  }

  /** Notes that another organisation submitted the transaction too. */
  #add(landing: Landing, submission: OwnSubmission): void {
    const { submissions } = landing;
    const isKnown = submissions.some(({ organisationId }) => organisationId === submission.organisationId);
    if (isKnown || submissions.length >= MAX_SUBMISSIONS) return;
    submissions.push(submission);
    this.#dependencies.onChange(landing);
  }

  #begin(flight: Flight): void {
    const { signature } = flight.landing.transaction;
    this.#flights.set(signature, flight);
    this.#sightings.begin(signature);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#round !== null || this.#isClosed || this.#flights.size === 0) return;
    const { timers, onDefect } = this.#dependencies;
    this.#round = timers.after(POLL_MS, () => {
      this.#runRound()
        .catch(onDefect)
        .finally(() => {
          this.#round = null;
          this.#schedule();
        });
    });
  }

  async #runRound(): Promise<void> {
    this.#sightings.look([...this.#flights.keys()]);
    const flights = [...this.#flights.values()];
    const most = STATUSES_PER_CALL * MAX_CALLS_PER_ROUND;
    const from = flights.length <= most ? 0 : this.#asked % flights.length;
    this.#asked = from + most;
    const asked = [...flights.slice(from), ...flights.slice(0, from)].slice(0, most);
    for (let at = 0; at < asked.length && !this.#isClosed; at += STATUSES_PER_CALL) {
      await this.#readStatuses(asked.slice(at, at + STATUSES_PER_CALL));
    }
    this.#resend();
  }

  async #readStatuses(flights: readonly Flight[]): Promise<void> {
    const { chain, timers } = this.#dependencies;
    // The height is read before the statuses, so a transaction without a status is in no block up to this height.
    const height = chain.blockHeight('finalized');
    const signatures = flights.map(({ landing }) => landing.transaction.signature);
    const statuses = await chain.signatureStatuses(signatures).catch(toNullIfUnavailable);
    const now = timers.now();
    for (const [index, flight] of flights.entries()) {
      const { landing } = flight;
      if (landing.outcome !== null) continue;
      const status = statuses?.[index] ?? null;
      if (status !== null) this.#noteStatus(flight, status, now);
      else if (statuses !== null && height > landing.lastHeight) this.#end(flight, flight.noteAbsence(now));
      if (landing.outcome === null && flight.submission.isGivenUp(now)) this.#end(flight, 'unknown');
    }
  }

  #noteStatus(flight: Flight, status: SignatureStatus, now: number): void {
    const isFirst = flight.landing.seenAt === null;
    const outcome = flight.noteStatus(status, now);
    if (outcome === null && isFirst) this.#dependencies.onChange(flight.landing);
    this.#end(flight, outcome);
  }

  #resend(): void {
    const now = this.#dependencies.timers.now();
    const height = this.#dependencies.chain.blockHeight('confirmed');
    let left = MAX_RESENDS_PER_ROUND;
    for (const [signature, flight] of this.#flights) {
      if (left === 0 || this.#isClosed) return;
      if (!flight.submission.isDue(now, height)) continue;
      left--;
      flight.submission.noteSending(now);
      // The next round begins with those that have waited longest.
      this.#flights.delete(signature);
      this.#flights.set(signature, flight);
      this.#send(flight);
    }
  }

  #send(flight: Flight): void {
    const { senders, timers, onDefect } = this.#dependencies;
    flight.landing.sends += senders.length;
    const sent = senders.map((sender) => this.#sendThrough(sender, flight));
    Promise.all(sent)
      .then((results) => this.#end(flight, flight.noteAnswers(results, timers.now())))
      .catch(onDefect);
  }

  async #sendThrough(sender: Sender, flight: Flight): Promise<SendResult> {
    const submitters = flight.landing.submissions.length;
    const result = await sendOnce(sender.chain, flight.landing.transaction.wire);
    this.#dependencies.onForwarded?.(sender.name, result.kind);
    // The first sender that accepts is enough for each submitter; the others may be slow.
    if (result.kind === 'accepted' && flight.noteForwarded(this.#dependencies.timers.now(), submitters)) {
      this.#dependencies.onChange(flight.landing);
    }
    return result;
  }

  /** Ends a landing, unless its outcome is null because it goes on. */
  #end({ landing, submitter }: Flight, outcome: LandingOutcome | null): void {
    if (outcome === null) return;
    const { signature } = landing.transaction;
    landing.outcome = outcome;
    landing.firstSeenBy = this.#sightings.end(signature, landing.slot);
    landing.endedAt = this.#dependencies.timers.now();
    this.#flights.delete(signature);
    // After one of the other outcomes the transaction may still land, so submitting it again starts another landing.
    if (outcome !== 'unknown' && outcome !== 'rejected') this.#ended.set(signature, landing);
    this.#places.giveBack(submitter);
    this.#dependencies.onChange(landing);
  }
}
