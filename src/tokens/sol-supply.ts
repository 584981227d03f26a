import type { Chain, LamportSupply } from '../chain/chain.ts';
import type { Timers } from '../common/ports/timers.ts';

export interface SolSupplyOptions {
  readonly chain: Pick<Chain, 'lamportSupply'>;
  readonly timers: Pick<Timers, 'now'>;
  /** Called when lamports could not be counted, once until they are counted again. */
  readonly onDefect: (error: unknown) => void;
}

/** The maximum age of the count. Nodes take seconds to count, and the result changes by a millionth in a day. */
const EVERY_MS = 60_000;

/** Keeps the number of all lamports in memory. */
export class SolSupply {
  readonly #options: SolSupplyOptions;
  #known: LamportSupply | null = null;
  #dueAt = Number.NEGATIVE_INFINITY;
  #isReading = false;
  #hasFailed = false;

  constructor(options: SolSupplyOptions) {
    this.#options = options;
  }

  /** Null until the lamports were counted for the first time. */
  get known(): LamportSupply | null {
    return this.#known;
  }

  /** Counts the lamports if the last count is a minute old. Never rejects: the last count stays known. */
  async refreshIfDue(): Promise<void> {
    const { chain, timers, onDefect } = this.#options;
    if (this.#isReading || timers.now() < this.#dueAt) return;
    this.#isReading = true;
    try {
      this.#known = await chain.lamportSupply();
      this.#hasFailed = false;
    } catch (error) {
      if (!this.#hasFailed) onDefect(error);
      this.#hasFailed = true;
    } finally {
      this.#isReading = false;
      this.#dueAt = timers.now() + EVERY_MS;
    }
  }
}
