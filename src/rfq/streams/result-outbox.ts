/** How a swap ended, on its way to the maker. */
interface End<Message> {
  readonly message: Message;
  /** Unix milliseconds. */
  readonly endedAt: number;
  /** Unix milliseconds; null before it was written to any stream. */
  toldAt: number | null;
  /** Whether the stream that it was written to was lost so soon that it may not have arrived. */
  isLost: boolean;
}

/** A connection that carries nothing any more is found out within 20 s; what was sent on it since then never arrived. */
const UNSURE_MS = 30_000;
/** A maker that stays away for longer learns from the chain. */
const KEPT_MS = 600_000;
/** Of each maker, the newest. */
const MOST = 1_000;

/**
 * The ends of swaps that makers may not have been told, because they were not there or their stream was lost around
 * that time. Nothing says that a maker has read a message, so that one may come twice.
 */
export class ResultOutbox<Message> {
  readonly #now: () => number;
  readonly #ends = new Map<string, End<Message>[]>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** @param isTold whether it was written to a stream */
  add(makerId: string, message: Message, isTold: boolean): void {
    const now = this.#now();
    const kept = this.#kept(makerId);
    kept.push({ message, endedAt: now, toldAt: isTold ? now : null, isLost: false });
    this.#ends.set(makerId, kept.slice(-MOST));
  }

  /** The maker's stream is gone, and with it perhaps what was written to it last. */
  lost(makerId: string): void {
    const since = this.#now() - UNSURE_MS;
    for (const end of this.#ends.get(makerId) ?? []) {
      if (end.toldAt !== null && end.toldAt > since) end.isLost = true;
    }
  }

  /** The maker has read its stream to the end, also when that seemed lost before. */
  left(makerId: string): void {
    const untold = this.#kept(makerId).filter(({ toldAt }) => toldAt === null);
    if (untold.length > 0) this.#ends.set(makerId, untold);
    else this.#ends.delete(makerId);
  }

  /** What is to be told, oldest first; from now on it is. */
  take(makerId: string): readonly Message[] {
    const untold = this.#kept(makerId).filter(({ toldAt, isLost }) => toldAt === null || isLost);
    for (const end of untold) Object.assign(end, { toldAt: this.#now(), isLost: false });
    return untold.map(({ message }) => message);
  }

  #kept(makerId: string): End<Message>[] {
    const now = this.#now();
    const kept = (this.#ends.get(makerId) ?? []).filter(
      ({ endedAt, toldAt, isLost }) =>
        endedAt > now - KEPT_MS && (toldAt === null || isLost || toldAt > now - UNSURE_MS),
    );
    if (kept.length === 0) this.#ends.delete(makerId);
    else this.#ends.set(makerId, kept);
    return kept;
  }
}
