import { isWithinFairShare } from './fair-share.ts';

/** A total that is shared between parties, none of which can take all of it: see `isWithinFairShare`. */
export class SharedBudget {
  readonly #total: number;
  readonly #factor: number;
  readonly #heldBy = new Map<string, number>();
  #held = 0;

  constructor(total: number, factor: number) {
    this.#total = total;
    this.#factor = factor;
  }

  get held(): number {
    return this.#held;
  }

  /**
   * Takes `amount` for `party` if that is within its share of what is left.
   *
   * @returns Whether it was taken. The caller then has to give it back.
   */
  take(party: string, amount: number): boolean {
    const held = this.#heldBy.get(party) ?? 0;
    if (!isWithinFairShare(held, amount, this.#total - this.#held, this.#factor)) return false;
    this.#held += amount;
    this.#heldBy.set(party, held + amount);
    return true;
  }

  giveBack(party: string, amount: number): void {
    this.#held -= amount;
    const left = (this.#heldBy.get(party) ?? 0) - amount;
    if (left > 0) this.#heldBy.set(party, left);
    else this.#heldBy.delete(party);
  }
}
