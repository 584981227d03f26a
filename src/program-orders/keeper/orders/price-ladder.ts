import type { Address } from '../../../solana/address.ts';

interface Rung {
  readonly ratio: number;
  readonly address: Address;
}

/** Orders of one pair, sorted by the ratio of output to input that they want. It only ranks them: the planner decides exactly. */
export class PriceLadder {
  readonly #rungs: Rung[] = [];

  get size(): number {
    return this.#rungs.length;
  }

  add(address: Address, ratio: number): void {
    this.#rungs.splice(this.#find(address, ratio), 0, { ratio, address });
  }

  /** Takes an order out; does nothing if it is not there with that ratio. */
  remove(address: Address, ratio: number): void {
    const at = this.#find(address, ratio);
    if (this.#rungs[at]?.address === address) this.#rungs.splice(at, 1);
  }

  /** Returns the orders that want no more than the ratio, those that want least first, and no more than `max`. */
  listReached(ratio: number, max: number): readonly Address[] {
    const reached: Address[] = [];
    for (const rung of this.#rungs) {
      if (rung.ratio > ratio || reached.length === max) break;
      reached.push(rung.address);
    }
    return reached;
  }

  /** Returns where an order stands, or would stand. */
  #find(address: Address, ratio: number): number {
    let [from, to] = [0, this.#rungs.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      const rung = this.#rungs[middle] as Rung;
      const isBefore = rung.ratio < ratio || (rung.ratio === ratio && rung.address < address);
      if (isBefore) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}
