import { type Address, address } from '../../solana/address.ts';

/** Stablecoins that are priced at one dollar. Both have six decimals. */
export const DOLLARS: readonly Address[] = [
  address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'),
  address('Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'),
];
export const DOLLARS_PER_ATOM = 1e-6;

/** Returns US dollars per atom of a mint; null without a price that can be relied on. */
export type PriceSource = (mint: Address) => number | null;

/**
 * Prices of tokens, in US dollars.
 *
 * @example
 * ```ts
 * import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
 * import type { Prices } from './prices.ts';
 *
 * // US dollars for one SOL.
 * function solPrice(prices: Prices): number {
 *   return (prices.dollarsPerAtom(WRAPPED_SOL_MINT) ?? 0) * 1e9;
 * }
 * ```
 */
export interface Prices {
  /** Goes up whenever the pools change. */
  readonly changes: number;
  /**
   * Computes US dollars per atom of the mint, for display only.
   *
   * Returns null for a mint without a price.
   */
  dollarsPerAtom(mint: Address): number | null;
  /**
   * Computes the US dollars that an amount is worth, for decisions about money: never more than the pools that count could
   * pay out.
   *
   * @param atoms - The amount, in atoms of the mint.
   * @returns null if no deep pool prices the mint
   */
  worthInDollars(mint: Address, atoms: bigint): number | null;
  /**
   * Computes the US dollars per atom by which `worthInDollars` values amounts. It has no bound by what the pools could pay
   * out, so it is for comparing costs with an amount, and not for what an amount would bring.
   *
   * Returns null if no deep pool prices the mint.
   */
  deepDollarsPerAtom(mint: Address): number | null;
}
