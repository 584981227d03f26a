import { ChainUnavailable } from '../../chain.ts';

/** Lets so many run at once; the others wait their turn, urgent ones first, and beyond a bound are refused. */
export class Gate {
  readonly #most: number;
  readonly #mostWaiting: number;
  readonly #waiting: (() => void)[] = [];
  readonly #urgent: (() => void)[] = [];
  #running = 0;

  constructor(most: number, mostWaiting: number) {
    this.#most = most;
    this.#mostWaiting = mostWaiting;
  }

  /** @throws ChainUnavailable when too many wait already */
  async run<T>(urgent: boolean, work: () => Promise<T>): Promise<T> {
    await this.#enter(urgent);
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  async #enter(urgent: boolean): Promise<void> {
    if (this.#running < this.#most) {
      this.#running++;
      return;
    }
    if (!urgent && this.#waiting.length >= this.#mostWaiting) {
      throw new ChainUnavailable(`${this.#mostWaiting} calls to the RPC wait for their turn already`);
    }
    // Whoever leaves hands its place on, so the count stays.
    await new Promise<void>((resolve) => (urgent ? this.#urgent : this.#waiting).push(resolve));
  }

  #leave(): void {
    const next = this.#urgent.shift() ?? this.#waiting.shift();
    if (next === undefined) this.#running--;
    else next();
  }
}
