import { BoundedCache } from '../common/collections/bounded-cache.ts';
import { runAs } from '../common/party.ts';
import { type Timers, wait } from '../common/ports/timers.ts';
import type { Address } from '../solana/address.ts';
import { chooseEarlierPool } from './first-pool.ts';
import { MAX_READ } from './read-mints.ts';
import type { FirstPool } from './facts/token.ts';

export interface MintQueueOptions {
  readonly timers: Timers;
  /** Reads some mints, with their first pools, and keeps the tokens that find a place. */
  readonly read: (batch: ReadonlyMap<Address, FirstPool | null>) => Promise<void>;
  /** Whether a token is kept, so that it need not be read. */
  readonly has: (mint: Address) => boolean;
  /** Called when a batch could not be read. It is read again. */
  readonly onDefect: (error: unknown) => void;
}

const READ_AGAIN_MS = 1_000;
/** How many tokens may wait to be read. One that finds no place is met again when its pool changes. */
const MAX_QUEUE = 500_000;
const LEFT_OUT_MS = 60_000;
const MAX_LEFT_OUT = 10_000;

/** Mints that wait to be read, a batch at a time. */
export class MintQueue {
  readonly #options: MintQueueOptions;
  /** The first pools of mints that are not read yet. */
  readonly #waiting = new Map<Address, FirstPool | null>();
  /** Mints that could not be kept, with the time from which they are tried again. */
  readonly #leftOut = new BoundedCache<Address, number>(MAX_LEFT_OUT);
  #reading: Promise<void> | null = null;
  /** Whether the last batch could not be read, and waits to be read again. */
  #isFailing = false;
  #closed = false;

  constructor(options: MintQueueOptions) {
    this.#options = options;
  }

  close(): void {
    this.#closed = true;
  }

  /** Resolves when all mints that were added are read. Resolves at once while they cannot be read. */
  async settled(): Promise<void> {
    while (this.#reading !== null && !this.#isFailing && !this.#closed) await this.#reading;
  }

  /** Adds a mint unless it is kept, or could not be kept less than a minute ago. */
  add(mint: Address, firstPool: FirstPool | null): void {
    if (this.#closed || this.#options.has(mint) || this.#waiting.size >= MAX_QUEUE) return;
    if ((this.#leftOut.get(mint) ?? 0) > this.#options.timers.now()) return;
    this.#waiting.set(mint, chooseEarlierPool(this.#waiting.get(mint) ?? null, firstPool));
    // Whoever's request added the first one, the queue holds those of everybody.
    this.#reading ??= runAs('own', () => this.#readAll()).finally(() => {
      this.#reading = null;
    });
  }

  /** Adds a mint even if it could not be kept a moment ago. */
  addAgain(mint: Address): void {
    this.#leftOut.set(mint, 0);
    this.add(mint, null);
  }

  async #readAll(): Promise<void> {
    const { timers, read, has, onDefect } = this.#options;
    while (this.#waiting.size > 0 && !this.#closed) {
      // Waits a turn, so that mints which appear together are read together.
      await Promise.resolve();
      const batch = new Map([...this.#waiting].slice(0, MAX_READ));
      try {
        await read(batch);
        this.#isFailing = false;
        for (const mint of batch.keys()) {
          this.#waiting.delete(mint);
          if (!has(mint)) this.#leftOut.set(mint, timers.now() + LEFT_OUT_MS);
        }
      } catch (error) {
        this.#isFailing = true;
        onDefect(error);
        await wait(READ_AGAIN_MS, timers);
      }
    }
  }
}
