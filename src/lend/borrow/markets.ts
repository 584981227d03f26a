/** The markets of the borrow product. */
export const MARKETS = ['main', 'ethena'] as const;
export type MarketName = (typeof MARKETS)[number];

/**
 * Assigns the vaults of the program to markets. The second market numbers its vaults from 1. The main market has all
 * other vaults, under the program's own ids.
 *
 * @example
 * ```ts
 * import { VaultMarkets } from './markets.ts';
 *
 * const markets = new VaultMarkets([16, 17, 18]);
 * markets.programId('ethena', 2); // 17
 * markets.programId('main', 17); // null
 * ```
 */
export class VaultMarkets {
  readonly #second: readonly number[];

  /** @param second - The program's ids of the second market's vaults, in the order of their ids in that market. */
  constructor(second: readonly number[]) {
    this.#second = second;
  }

  /** Returns the program's id of a market's vault; null when the market has no such vault. */
  programId(market: MarketName, id: number): number | null {
    if (market === 'ethena') return this.#second[id - 1] ?? null;
    return this.#second.includes(id) ? null : id;
  }

  /** Returns the market of a vault of the program, and its id in that market. */
  placeOf(programId: number): { readonly market: MarketName; readonly id: number } {
    const at = this.#second.indexOf(programId);
    return at === -1 ? { market: 'main', id: programId } : { market: 'ethena', id: at + 1 };
  }
}
