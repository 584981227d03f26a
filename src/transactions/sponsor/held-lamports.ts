/**
 * The lamports that a sponsor's budget counts for transactions under way at this instance: the most that they can cost. When they
 * have ended, what they cost stays counted, and the rest comes back.
 */
export class HeldLamports {
  #lamports = 0n;
  readonly #sources: (() => bigint)[] = [];

  /** Adds lamports until the returned function is called, which has an effect once. */
  hold(lamports: bigint): () => void {
    let held = lamports;
    this.#lamports += held;
    return () => {
      this.#lamports -= held;
      held = 0n;
    };
  }

  /** Adds what somebody else counts. */
  include(read: () => bigint): void {
    this.#sources.push(read);
  }

  get total(): bigint {
    return this.#sources.reduce((sum, read) => sum + read(), this.#lamports);
  }
}
