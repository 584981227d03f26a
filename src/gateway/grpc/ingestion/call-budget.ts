/**
 * The burst of calls that a maker may make. A well-behaved client makes one when it connects, and polls a few times a
 * second.
 */
const MAX_CALLS = 100;
const REFILLED_PER_SECOND = 10;
/** How many books an answer may have for the price of one call. */
const BOOKS_PER_CALL = 100;
/** The most that an answer with all books costs, however many there are. */
const MAX_CHARGE = 50;

/** Limits how often each maker may make unary calls. */
export class CallBudget {
  readonly #now: () => number;
  readonly #left = new Map<string, { readonly calls: number; readonly at: number }>();

  /** @param now - Unix milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Takes one call from the maker's budget.
   * Returns null when the budget has a call left; otherwise why the call is refused, as a sentence.
   */
  take(makerId: string): string | null {
    const calls = this.#refilled(makerId);
    if (calls >= 1) {
      this.#set(makerId, calls - 1);
      return null;
    }
    const seconds = Math.ceil((1 - calls) / REFILLED_PER_SECOND);
    return `a maker may make ${REFILLED_PER_SECOND} calls per second, ${MAX_CALLS} at once, and calls with many books count as several; wait ${seconds} s before the next`;
  }

  /** Takes more from the budget for an answer that has read many books; the next call may be refused for it. */
  charge(makerId: string, books: number): void {
    const charge = Math.min(Math.floor(books / BOOKS_PER_CALL), MAX_CHARGE);
    if (charge > 0) this.#set(makerId, this.#refilled(makerId) - charge);
  }

  #refilled(makerId: string): number {
    const before = this.#left.get(makerId);
    if (before === undefined) return MAX_CALLS;
    const seconds = Math.max(this.#now() - before.at, 0) / 1_000;
    return Math.min(before.calls + seconds * REFILLED_PER_SECOND, MAX_CALLS);
  }

  #set(makerId: string, calls: number): void {
    this.#left.set(makerId, { calls, at: this.#now() });
  }
}
