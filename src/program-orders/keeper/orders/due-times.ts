import type { Address } from '../../../solana/address.ts';

interface DueTime {
  readonly at: number;
  readonly address: Address;
}

/** How many entries that count no more are kept before they are removed. */
const SPARE = 1_024;

/** Orders by the time for which they wait, the earliest first: a binary heap. Each order waits for one time. */
export class DueTimes {
  readonly #times = new Map<Address, number>();
  /** May hold entries that no longer count, because the order has another time or none. */
  #heap: DueTime[] = [];

  get size(): number {
    return this.#times.size;
  }

  /** Sets the time of an order, in place of an earlier one. */
  set(address: Address, at: number): void {
    if (this.#times.get(address) === at) return;
    this.#times.set(address, at);
    this.#push({ at, address });
    if (this.#heap.length > 2 * this.#times.size + SPARE) this.#rebuild();
  }

  delete(address: Address): void {
    this.#times.delete(address);
  }

  /** Takes out the orders whose time has come, and no more than `max`. */
  takeDue(now: number, max: number): readonly Address[] {
    const due: Address[] = [];
    while (due.length < max) {
      const top = this.#heap[0];
      if (top === undefined || top.at > now) break;
      this.#pop();
      if (this.#times.get(top.address) !== top.at) continue;
      this.#times.delete(top.address);
      due.push(top.address);
    }
    return due;
  }

  #rebuild(): void {
    this.#heap = [];
    for (const [address, at] of this.#times) this.#push({ at, address });
  }

  #push(entry: DueTime): void {
    const heap = this.#heap;
    let place = heap.push(entry) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = heap[parent] as DueTime;
      if (above.at <= entry.at) break;
      heap[place] = above;
      place = parent;
    }
    heap[place] = entry;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= heap.length) break;
      const right = heap[child + 1];
      if (right !== undefined && right.at < (heap[child] as DueTime).at) child++;
      const below = heap[child] as DueTime;
      if (below.at >= last.at) break;
      heap[place] = below;
      place = child;
    }
    heap[place] = last;
  }
}
