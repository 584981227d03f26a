import type { Address } from '../../solana/address.ts';

const HOUR_MS = 3_600_000;
/** More entries than that within an hour, and nobody is sponsored until some have aged out. */
const MOST_ENTRIES = 50_000;

export interface SponsorLimits {
  /** Lamports that one taker's swaps may cost within an hour. */
  readonly perTaker: bigint;
  /** Lamports that all swaps together may. */
  readonly inAll: bigint;
}

interface Spent {
  readonly at: number;
  readonly taker: Address;
  readonly lamports: bigint;
}

/** What the sponsor signed away within the last hour, counted at the most that it can cost. In memory: a restart forgets. */
export class SponsorBudget {
  readonly #limits: SponsorLimits;
  /** Oldest first; those before `#first` have aged out. */
  #spent: Spent[] = [];
  #first = 0;
  #inAll = 0n;
  readonly #byTaker = new Map<Address, bigint>();

  constructor(limits: SponsorLimits) {
    this.#limits = limits;
  }

  /** Why so much more may not be spent on the taker now; null when it may. */
  refusal(taker: Address, lamports: bigint, now: number): string | null {
    this.#age(now);
    const { perTaker, inAll } = this.#limits;
    const forTaker = (this.#byTaker.get(taker) ?? 0n) + lamports;
    if (forTaker > perTaker) {
      return `the swaps of ${taker} would cost ${forTaker} lamports within an hour, at most ${perTaker} are sponsored`;
    }
    if (this.#inAll + lamports > inAll || this.#spent.length - this.#first >= MOST_ENTRIES) {
      return `what is sponsored within an hour is used up (${this.#inAll} of ${inAll} lamports)`;
    }
    return null;
  }

  spend(taker: Address, lamports: bigint, now: number): void {
    this.#spent.push({ at: now, taker, lamports });
    this.#inAll += lamports;
    this.#byTaker.set(taker, (this.#byTaker.get(taker) ?? 0n) + lamports);
  }

  #age(now: number): void {
    for (;;) {
      const oldest = this.#spent[this.#first];
      if (oldest === undefined || oldest.at > now - HOUR_MS) break;
      this.#first++;
      this.#inAll -= oldest.lamports;
      const left = (this.#byTaker.get(oldest.taker) ?? 0n) - oldest.lamports;
      if (left > 0n) this.#byTaker.set(oldest.taker, left);
      else this.#byTaker.delete(oldest.taker);
    }
    // Cut off now and then only, as it copies what is left.
    if (this.#first > 1_000 && this.#first * 2 > this.#spent.length) {
      this.#spent = this.#spent.slice(this.#first);
      this.#first = 0;
    }
  }
}
