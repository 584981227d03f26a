import type { Store } from '../../store/index.ts';

/** How long the difference between the clocks is used before it is measured again. */
const MEASURED_FOR_MS = 1_000;
/** A system whose two clocks ran apart by more than this was suspended, or its time was set. */
const MAX_DRIFT_MS = 20;

/** The clocks of this process. */
export interface ProcessClocks {
  /** Unix milliseconds, which may jump. */
  readonly wall: () => number;
  /** Milliseconds of a clock that never jumps. */
  readonly monotonic: () => number;
}

const SYSTEM_CLOCKS: ProcessClocks = { wall: Date.now, monotonic: () => performance.now() };

interface MeasuredClock {
  /** The store's time and the times of the process at the same moment. */
  readonly store: number;
  readonly wall: number;
  readonly monotonic: number;
}

export interface StoreClockOptions {
  readonly store: Store;
  /** Returns how many milliseconds orders are ahead of the database. Default 0. */
  readonly aheadMs?: () => number;
  readonly clocks?: ProcessClocks;
}

/**
 * The clock of the orders: that of the database, which all instances on it share, put forward as far as the clock of the network
 * was. The database is asked once a second at most, so that a fill need not wait for it several times; in between, the process
 * counts on.
 */
export class StoreClock {
  readonly #store: Store;
  readonly #aheadMs: () => number;
  readonly #clocks: ProcessClocks;
  #measured: MeasuredClock | null = null;
  #measuring: Promise<MeasuredClock> | null = null;

  constructor({ store, aheadMs = () => 0, clocks = SYSTEM_CLOCKS }: StoreClockOptions) {
    this.#store = store;
    this.#aheadMs = aheadMs;
    this.#clocks = clocks;
  }

  /**
   * Returns Unix milliseconds.
   *
   * @throws Unavailable when the database does not answer
   */
  async now(): Promise<number> {
    const known = this.#read();
    if (known !== null) return known + this.#aheadMs();
    this.#measuring ??= this.#measure().finally(() => {
      this.#measuring = null;
    });
    return (await this.#measuring).store + this.#aheadMs();
  }

  /** Returns null if the time has to be measured. */
  #read(): number | null {
    if (this.#measured === null) return null;
    const passed = this.#clocks.monotonic() - this.#measured.monotonic;
    const drift = this.#clocks.wall() - this.#measured.wall - passed;
    if (passed >= MEASURED_FOR_MS || Math.abs(drift) > MAX_DRIFT_MS) return null;
    return Math.floor(this.#measured.store + passed);
  }

  async #measure(): Promise<MeasuredClock> {
    const store = await this.#store.now(this.#store.db);
    this.#measured = { store, wall: this.#clocks.wall(), monotonic: this.#clocks.monotonic() };
    return this.#measured;
  }
}
