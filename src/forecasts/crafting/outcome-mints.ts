import { BoundedCache } from '../../common/collections/bounded-cache.ts';
import type { Address } from '../../solana/address.ts';
import type { ForecastRounds } from '../forecast.ts';

/** Two for each round: those of some days. */
const MAX_MINTS = 4_000;

/**
 * The tokens of rounds that the chain has, and of those that it had since this process began. Who asks again what has become of a
 * swap may do so when its round is gone.
 */
export class OutcomeMints {
  readonly #known = new BoundedCache<Address, true>(MAX_MINTS);
  readonly #stop: () => void;

  constructor(rounds: Pick<ForecastRounds, 'find' | 'list' | 'onChange'>) {
    for (const { address } of rounds.list()) this.#add(rounds, address);
    this.#stop = rounds.onChange((round) => this.#add(rounds, round));
  }

  readonly has = (mint: Address): boolean => this.#known.get(mint) === true;

  close(): void {
    this.#stop();
  }

  #add({ find }: Pick<ForecastRounds, 'find'>, address: Address): void {
    const round = find(address);
    if (round === null) return;
    this.#known.set(round.up.mint, true);
    this.#known.set(round.down.mint, true);
  }
}
