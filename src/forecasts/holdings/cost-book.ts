import { runOneByOne } from '../../common/work/run-one-by-one.ts';
import type { Address } from '../../solana/address.ts';
import type { RecordedCost } from '../history/cost-records.ts';

export interface CostBookOptions {
  /** Returns what is recorded as changed in a slot or after it, in the order of the changes. */
  readonly listChanged: (from: number) => Promise<readonly RecordedCost[]>;
  /** Returns the newest slot of the network. */
  readonly slot: () => number;
}

/** The most that is kept. Each entry has cost somebody a trade in a round that the chain still has. */
const MAX_ENTRIES = 200_000;
/** Every so many readings, everything is read anew: the record drops what belongs to rounds that are closed. */
const READINGS_TOGETHER = 150;

/** What the tokens of rounds that are not closed have cost, in memory, as far as it was read from the record. */
export class CostBook {
  readonly #options: CostBookOptions;
  readonly #costs = new Map<string, RecordedCost>();
  /** Reads what was changed before the call. An older reading never ends after a newer one. */
  readonly refresh: () => Promise<void> = runOneByOne(() => this.#read());
  #from = 0;
  #readings = 0;

  constructor(options: CostBookOptions) {
    this.#options = options;
  }

  /** Returns null for a wallet that has not traded the token. */
  find(owner: Address, mint: Address): RecordedCost | null {
    return this.#costs.get(toKey(owner, mint)) ?? null;
  }

  async #read(): Promise<void> {
    const { listChanged, slot } = this.#options;
    // The network can have begun again.
    const isAnew = this.#readings % READINGS_TOGETHER === 0 || slot() < this.#from;
    const changed = await listChanged(isAnew ? 0 : this.#from);
    this.#readings++;
    if (isAnew) {
      this.#costs.clear();
      this.#from = 0;
    }
    for (const cost of changed) {
      const key = toKey(cost.owner, cost.mint);
      if (this.#costs.size < MAX_ENTRIES || this.#costs.has(key)) this.#costs.set(key, cost);
    }
    this.#from = changed.at(-1)?.slot ?? this.#from;
  }
}

function toKey(owner: Address, mint: Address): string {
  return `${owner} ${mint}`;
}
