import type { Address } from '../../solana/address.ts';
import type { ForecastRounds } from '../forecast.ts';
import type { RecordedCost } from '../history/cost-records.ts';

export interface CostBookOptions {
  /** Returns what is recorded as changed in a slot or after it, in the order of the changes. */
  readonly listChanged: (from: number) => Promise<readonly RecordedCost[]>;
  readonly rounds: Pick<ForecastRounds, 'findByMint'>;
  /** Returns the newest slot of the network. */
  readonly slot: () => number;
}

/** The most that is kept. Each entry has cost somebody a trade in a round that the chain still has. */
const MAX_ENTRIES = 200_000;

/** What the tokens of rounds that the chain still has have cost, in memory, as far as it was read from the record. */
export class CostBook {
  readonly #options: CostBookOptions;
  readonly #costs = new Map<string, RecordedCost>();
  #from = 0;

  constructor(options: CostBookOptions) {
    this.#options = options;
  }

  /** Reads what has changed. */
  async refresh(): Promise<void> {
    const { listChanged, rounds, slot } = this.#options;
    if (slot() < this.#from) {
      // The network began again.
      this.#from = 0;
      this.#costs.clear();
    }
    const changed = await listChanged(this.#from);
    for (const cost of changed) {
      const key = toKey(cost.owner, cost.mint);
      if (this.#costs.size < MAX_ENTRIES || this.#costs.has(key)) this.#costs.set(key, cost);
    }
    this.#from = changed.at(-1)?.slot ?? this.#from;
    for (const [key, { mint }] of this.#costs) if (rounds.findByMint(mint) === null) this.#costs.delete(key);
  }

  /** Returns null for a wallet that has not traded the token. */
  find(owner: Address, mint: Address): RecordedCost | null {
    return this.#costs.get(toKey(owner, mint)) ?? null;
  }
}

function toKey(owner: Address, mint: Address): string {
  return `${owner} ${mint}`;
}
