/**
 * Items that wait to be worked on. Wallets take turns, so that one with thousands of triggered orders does not keep another
 * waiting.
 *
 * @example
 * ```ts
 * import { WalletTurns } from './wallet-turns.ts';
 *
 * const turns = new WalletTurns<string>();
 * turns.add('wallet one', 'a');
 * turns.add('wallet one', 'b');
 * turns.add('wallet two', 'c');
 * turns.next(); // 'a'
 * turns.next(); // 'c'
 * ```
 */
export class WalletTurns<Item> {
  /** In the order in which the wallets get their turns. */
  readonly #waiting = new Map<string, Item[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(wallet: string, item: Item): void {
    this.#size++;
    const own = this.#waiting.get(wallet);
    if (own === undefined) this.#waiting.set(wallet, [item]);
    else own.push(item);
  }

  /**
   * Takes out the oldest item of the wallet whose turn it is. Returns undefined if nothing waits that may be begun.
   *
   * @param mayBegin - Whether a wallet may begin something now. One that may not keeps its turn.
   */
  next(mayBegin: (wallet: string) => boolean = () => true): Item | undefined {
    for (const [wallet, items] of this.#waiting) {
      if (!mayBegin(wallet)) continue;
      const item = items.shift();
      this.#size--;
      this.#waiting.delete(wallet);
      if (items.length > 0) this.#waiting.set(wallet, items);
      return item;
    }
    return undefined;
  }
}

/** Work that waits for prices, and work that waits for a time. Both take turns, so that neither holds up the other. */
export class AlternatingTurns<Item> {
  readonly prices = new WalletTurns<Item>();
  readonly rounds = new WalletTurns<Item>();
  #isRoundNext = false;

  get size(): number {
    return this.prices.size + this.rounds.size;
  }

  /**
   * @param withRounds - Whether a round may be begun.
   * @param mayBegin - Whether a wallet may begin something now.
   */
  next(withRounds: boolean, mayBegin: (wallet: string) => boolean): Item | undefined {
    const isRound = withRounds && this.rounds.size > 0 && (this.#isRoundNext || this.prices.size === 0);
    this.#isRoundNext = !isRound;
    if (isRound) return this.rounds.next(mayBegin) ?? this.prices.next(mayBegin);
    return this.prices.next(mayBegin) ?? (withRounds ? this.rounds.next(mayBegin) : undefined);
  }
}
