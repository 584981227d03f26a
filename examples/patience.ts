// Which vaults a liquidator leaves alone for a while.
import { type ListedVault, safeTickOf } from './liquidation.ts';

/** The longest that a vault without a profit is left alone, in rounds. */
const MAX_ROUNDS = 64;

/**
 * How long to leave vaults alone of which nothing came, so that debt that nobody can liquidate at a profit does not cost
 * a quote for each size in every round, nor a line in the log. A vault is looked at again as soon as its top tick or
 * what it absorbed changes, or the price by the step of a tick, and otherwise after a number of rounds that doubles.
 */
export class Patience {
  readonly #tried = new Map<string, { seen: string; until: number; rounds: number }>();
  #round = 0;

  /** Begins a round, and picks the vaults to look at. */
  pick(suspects: readonly ListedVault[]): readonly ListedVault[] {
    this.#round++;
    return suspects.filter((listed) => {
      const tried = this.#tried.get(listed.address);
      return tried === undefined || tried.seen !== stateOf(listed) || this.#round >= tried.until;
    });
  }

  /** Notes that nothing came of a vault. */
  gaveNothing(listed: ListedVault): void {
    const seen = stateOf(listed);
    const before = this.#tried.get(listed.address);
    const rounds = before?.seen === seen ? Math.min(before.rounds * 2, MAX_ROUNDS) : 1;
    this.#tried.set(listed.address, { seen, rounds, until: this.#round + 1 + rounds });
  }

  /** Notes that a vault was liquidated: more of it may be. */
  gave(listed: ListedVault): void {
    this.#tried.delete(listed.address);
  }
}

function stateOf(listed: ListedVault): string {
  return `${listed.topTick} ${safeTickOf(listed)} ${listed.absorbedBorrow}`;
}
