import type { Timers } from '../../../common/ports/timers.ts';

/** A slot as pages show it. What the network does not tell without being asked is null. */
export interface PortalSlot {
  readonly slot: number;
  /** Unix seconds. */
  readonly time: number | null;
  readonly blockhash: string | null;
  readonly transactions: number | null;
  readonly failed: number | null;
  /** The last transactions of the slot, in their order. */
  readonly last: readonly { readonly signature: string; readonly isFailed: boolean }[];
}

/** Where the network is. */
export interface PortalHead {
  readonly processed: number;
  readonly confirmed: number;
  readonly finalized: number;
  readonly height: number;
  readonly epoch: number;
  /** Unix seconds, by the network's clock. */
  readonly time: number;
}

/** The slots of a network, as the portal reads them. */
export interface PortalSlots {
  readonly getHead: () => PortalHead;
  /** Reads confirmed slots after one, oldest first, of the newest `limit`. Never calls an outside RPC. */
  readonly readAfter: (slot: number, limit: number) => Promise<readonly PortalSlot[]>;
}

/** What a reader gets at once. */
export interface SlotBatch {
  readonly head: PortalHead;
  readonly slots: readonly PortalSlot[];
}

/** The reads of the network, from the first reader to the last. */
interface SlotPoll {
  cancelTimer: () => void;
}

/** A minute of slots of 400 ms. */
const KEPT = 150;
const POLL_MS = 200;

/**
 * The newest slots of a network, for any number of readers. It is read once for all of them, and only while there are any. A slow
 * reader misses slots rather than making a queue grow.
 */
export class SlotFeed {
  readonly #slots: PortalSlots;
  readonly #timers: Pick<Timers, 'after'>;
  /** Oldest first. */
  #kept: readonly PortalSlot[] = [];
  readonly #readers = new Set<() => void>();
  #poll: SlotPoll | null = null;

  constructor(slots: PortalSlots, timers: Pick<Timers, 'after'>) {
    this.#slots = slots;
    this.#timers = timers;
  }

  /** The readers now. */
  get readers(): number {
    return this.#readers.size;
  }

  /** Follows the slots, the kept ones first, until the signal aborts. @throws what the network throws at the first read */
  async *follow(signal: AbortSignal): AsyncGenerator<SlotBatch> {
    let wake = () => {};
    const notify = () => wake();
    this.#readers.add(notify);
    signal.addEventListener('abort', notify);
    try {
      if (this.#poll === null) await this.#start();
      let after = -1;
      while (!signal.aborted) {
        const slots = this.#kept.filter(({ slot }) => slot > after);
        if (slots.length > 0 || after === -1) {
          after = slots.at(-1)?.slot ?? 0;
          yield { head: this.#slots.getHead(), slots };
        }
        const isBehind = this.#kept.some(({ slot }) => slot > after);
        if (isBehind || signal.aborted) continue;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    } finally {
      signal.removeEventListener('abort', notify);
      this.#readers.delete(notify);
      if (this.#readers.size === 0) this.#stop();
    }
  }

  async #start(): Promise<void> {
    const poll: SlotPoll = { cancelTimer: () => {} };
    this.#poll = poll;
    try {
      await this.#read();
    } finally {
      // Others may have begun to wait meanwhile, even if the one that began learns that the network did not answer.
      this.#schedule(poll);
    }
  }

  #stop(): void {
    this.#poll?.cancelTimer();
    this.#poll = null;
  }

  #schedule(poll: SlotPoll): void {
    // The last reader may have left during the read, and the next reader started a poll of its own.
    if (this.#poll !== poll) return;
    poll.cancelTimer = this.#timers.after(POLL_MS, () => {
      // A network that does not answer once is asked again: readers wait meanwhile.
      void this.#read()
        .catch(() => {})
        .then(() => this.#schedule(poll));
    });
  }

  async #read(): Promise<void> {
    const read = await this.#slots.readAfter(this.#findNewest(), KEPT);
    // A read that began before may have brought some of them.
    const newest = this.#findNewest();
    const added = read.filter(({ slot }) => slot > newest);
    if (added.length === 0) return;
    this.#kept = [...this.#kept, ...added].slice(-KEPT);
    for (const notify of [...this.#readers]) notify();
  }

  #findNewest(): number {
    return this.#kept.at(-1)?.slot ?? -1;
  }
}
