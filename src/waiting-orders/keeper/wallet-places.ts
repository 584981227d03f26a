/**
 * Counts the places that wallets have among all of a kind. A wallet never takes more than it leaves free, so that others find places.
 *
 * @example
 * ```ts
 * import { WalletPlaces } from './wallet-places.ts';
 *
 * const places = new WalletPlaces(4);
 * places.take('wallet one');
 * places.take('wallet one');
 * places.mayTake('wallet one'); // false: it has two, and two are free
 * places.mayTake('wallet two'); // true
 * ```
 */
export class WalletPlaces {
  readonly #all: number;
  readonly #taken = new Map<string, number>();
  #size = 0;

  /** @param all - How many places there are. */
  constructor(all: number) {
    this.#all = all;
  }

  mayTake(wallet: string): boolean {
    return (this.#taken.get(wallet) ?? 0) < this.#all - this.#size;
  }

  take(wallet: string): void {
    this.#size++;
    this.#taken.set(wallet, (this.#taken.get(wallet) ?? 0) + 1);
  }

  /** Gives one of the places of a wallet back. */
  giveBack(wallet: string): void {
    const left = (this.#taken.get(wallet) ?? 0) - 1;
    if (left < 0) return;
    this.#size--;
    if (left === 0) this.#taken.delete(wallet);
    else this.#taken.set(wallet, left);
  }
}
