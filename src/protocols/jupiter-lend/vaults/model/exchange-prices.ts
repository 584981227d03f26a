import { divideUp } from '../../../../solana/units.ts';
import { PRICE_ONE, WHOLE, YEAR } from '../../lending-base/amounts.ts';
import type { VaultConfig, VaultState } from '../state/layouts.ts';

/** The prices of one raw unit, where 10^12 is 1.0. */
export interface VaultPrices {
  /** The price of the vault's collateral, without the vault's magnifier and then with it. */
  readonly liquiditySupply: bigint;
  readonly supply: bigint;
  /** The price of the vault's debt, without the vault's magnifier and then with it. */
  readonly liquidityBorrow: bigint;
  readonly borrow: bigint;
}

/** A growth of the liquidity program's price of 1.0. */
const GROWTH_ONE = 10n ** 18n;

/**
 * Computes the exchange prices of a vault, as the program does before each operation. Collateral grows with the supply
 * price of the liquidity program, rounded down, and debt with its borrow price, rounded up. Magnifiers add a yearly
 * rate to each.
 *
 * @param liquidity - The supply price of the collateral's reserve and the borrow price of the debt's, at the same time.
 * @param now - Unix seconds.
 * @returns Null when a price of the liquidity program has decreased, which the program refuses
 *   (VaultLiquidityExchangePriceUnexpected), the vault's state has none yet, or a negative magnifier would bring a price
 *   below zero.
 *
 * @example
 * ```ts
 * import { computeVaultPricesAt } from './exchange-prices.ts';
 * import { VAULT_CONFIG, VAULT_STATE } from '../state/layouts.ts';
 *
 * export function pricesOf(configData: Uint8Array, stateData: Uint8Array, now: bigint) {
 *   const one = 1_000_000_000_000n;
 *   return computeVaultPricesAt(VAULT_CONFIG.decode(configData), VAULT_STATE.decode(stateData), { supply: one, borrow: one }, now);
 * }
 * ```
 */
export function computeVaultPricesAt(
  config: Pick<VaultConfig, 'supplyRateMagnifier' | 'borrowRateMagnifier'>,
  state: VaultState,
  liquidity: { readonly supply: bigint; readonly borrow: bigint },
  now: bigint,
): VaultPrices | null {
  const seconds = now - state.lastUpdateTimestamp;
  if (seconds < 0n) return null;
  if (state.liquiditySupplyExchangePrice === 0n || state.liquidityBorrowExchangePrice === 0n) return null;
  if (liquidity.supply < state.liquiditySupplyExchangePrice) return null;
  if (liquidity.borrow < state.liquidityBorrowExchangePrice) return null;
  const supplyGrowth = (liquidity.supply * GROWTH_ONE) / state.liquiditySupplyExchangePrice;
  const borrowGrowth = (liquidity.borrow * GROWTH_ONE) / state.liquidityBorrowExchangePrice;
  const supply =
    (state.vaultSupplyExchangePrice * supplyGrowth) / GROWTH_ONE +
    magnified(state.vaultSupplyExchangePrice, config.supplyRateMagnifier, seconds);
  const borrow =
    divideUp(state.vaultBorrowExchangePrice * borrowGrowth, GROWTH_ONE) +
    magnified(state.vaultBorrowExchangePrice, config.borrowRateMagnifier, seconds);
  if (supply < 0n || borrow < 0n) return null;
  return { liquiditySupply: liquidity.supply, supply, liquidityBorrow: liquidity.borrow, borrow };
}

/** Returns the amount that a magnifier adds to a price. Its absolute value is rounded down. */
function magnified(price: bigint, magnifier: number, seconds: bigint): bigint {
  const change = (price * seconds * BigInt(Math.abs(magnifier))) / WHOLE / YEAR;
  return magnifier < 0 ? -change : change;
}

/**
 * Computes the minimum debt of a position now, in atoms. It grows with interest, because the program's minimum is raw.
 * SDKs call it `minimumBorrowing`.
 *
 * @param minimum - The minimum at a price of 1.0, in atoms.
 * @param borrowPrice - The vault's borrow price.
 */
export function minimumBorrowing(minimum: bigint, borrowPrice: bigint): bigint {
  return (minimum * borrowPrice) / PRICE_ONE;
}
