/** The result of a swap, on its way to the maker. */
interface OutboxResult<Message> {
  readonly message: Message;
  /** Unix milliseconds. */
  readonly endedAt: number;
  /** Unix milliseconds when it was written to a stream; null before that. */
  sentAt: number | null;
  /** Whether that stream was lost so soon afterwards that the result may not have arrived. */
  isLost: boolean;
}

/**
 * A dead connection is detected within 20 s. What was written in this period before it was lost may not have arrived.
 */
const UNSURE_MS = 30_000;
/** Results are kept this long. A maker that stays away for longer learns them from the chain. */
const KEPT_MS = 600_000;
/** The maximum number of results per maker; the oldest are dropped. */
const MAX_RESULTS = 1_000;

/**
 * The results of swaps that makers may not have received, because they were not connected or lost their stream at about
 * that time. Receipt is not acknowledged, so a maker may get a result twice.
 *
 * @example
 * ```ts
 * import { ResultOutbox } from './result-outbox.ts';
 *
 * const outbox = new ResultOutbox<string>(() => Date.now());
 * outbox.add('maker-1', 'the swap failed', false); // The maker is not connected.
 * outbox.takeUndelivered('maker-1'); // ['the swap failed'], when it connects.
 * ```
 */
export class ResultOutbox<Message> {
  readonly #now: () => number;
  readonly #ends = new Map<string, OutboxResult<Message>[]>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** @param isSent - Whether it was written to a stream. */
  add(makerId: string, message: Message, isSent: boolean): void {
    const now = this.#now();
    const kept = this.#kept(makerId);
    kept.push({ message, endedAt: now, sentAt: isSent ? now : null, isLost: false });
    this.#ends.set(makerId, kept.slice(-MAX_RESULTS));
  }

  /** Called when the maker's stream is lost, and with it perhaps the newest results. */
  connectionLost(makerId: string): void {
    const since = this.#now() - UNSURE_MS;
    for (const end of this.#ends.get(makerId) ?? []) {
      if (end.sentAt !== null && end.sentAt > since) end.isLost = true;
    }
  }

  /** Called when the maker has read its stream to the end. This may be known only after `connectionLost`. */
  connectionRead(makerId: string): void {
    const untold = this.#kept(makerId).filter(({ sentAt }) => sentAt === null);
    if (untold.length > 0) this.#ends.set(makerId, untold);
    else this.#ends.delete(makerId);
  }

  /** Returns the results that the maker may not have received, oldest first; they count as sent from now on. */
  takeUndelivered(makerId: string): readonly Message[] {
    const untold = this.#kept(makerId).filter(({ sentAt, isLost }) => sentAt === null || isLost);
    for (const end of untold) Object.assign(end, { sentAt: this.#now(), isLost: false });
    return untold.map(({ message }) => message);
  }

  #kept(makerId: string): OutboxResult<Message>[] {
    const now = this.#now();
    const kept = (this.#ends.get(makerId) ?? []).filter(
      ({ endedAt, sentAt, isLost }) =>
        endedAt > now - KEPT_MS && (sentAt === null || isLost || sentAt > now - UNSURE_MS),
    );
    if (kept.length === 0) this.#ends.delete(makerId);
    else this.#ends.set(makerId, kept);
    return kept;
  }
}
