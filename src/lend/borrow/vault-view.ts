import { minimum } from '../../solana/units.ts';
import type { Account } from '../../chain/accounts.ts';
import type { ChainClock } from '../../chain/chain.ts';
import { toAtoms } from '../../protocols/jupiter-lend/lending-base/amounts.ts';
import { computeExchangePricesAt } from '../../protocols/jupiter-lend/liquidity/exchange-prices.ts';
import {
  type BorrowedAmounts,
  computeBorrowedAmounts,
  type SuppliedAmounts,
  computeSuppliedAmounts,
} from '../../protocols/jupiter-lend/liquidity/limits.ts';
import { computeSupplyRate } from '../../protocols/jupiter-lend/liquidity/rates.ts';
import {
  minimumBorrowing,
  type VaultPrices,
  computeVaultPricesAt,
} from '../../protocols/jupiter-lend/vaults/model/exchange-prices.ts';
import { getMinimumOperateAmount, toTokenAtoms } from '../../protocols/jupiter-lend/vaults/state/limits.ts';
import type { Address } from '../../solana/address.ts';
import type { Vault } from './borrow-accounts.ts';
import { type OracleReading, readOracle } from './oracle-reading.ts';

/** A vault as of one second. Amounts are in atoms of their token; rates are in basis points. */
export interface VaultView {
  readonly vault: Vault;
  /** Unix seconds. */
  readonly now: bigint;
  readonly prices: VaultPrices;
  readonly totalSupply: bigint;
  readonly totalBorrow: bigint;
  readonly absorbedSupply: bigint;
  readonly absorbedBorrow: bigint;
  /** The vault's balance at the liquidity program. */
  readonly supplied: SuppliedAmounts;
  readonly borrowed: BorrowedAmounts;
  readonly supplyRateLiquidity: bigint;
  readonly supplyRate: bigint;
  readonly borrowRateLiquidity: bigint;
  readonly borrowRate: bigint;
  readonly withdrawableUntilLimit: bigint;
  readonly withdrawable: bigint;
  readonly borrowableUntilLimit: bigint;
  readonly borrowable: bigint;
  readonly minimumBorrowing: bigint;
  readonly oracle: OracleReading;
}

/**
 * A millionth of the available amount is held back, so that the interest until the transaction lands does not matter.
 */
const HELD_BACK = { parts: 999_999n, of: 1_000_000n };
/** 100 percent of the withdrawal gap. */
export const GAP_ONE = 1_000n;

/**
 * Computes a vault with interest up to the clock's time.
 * Returns null if a price fell, in which case the program refuses every operation.
 */
export function computeVaultView(
  vault: Vault,
  read: (address: Address) => Account | null,
  clock: ChainClock,
): VaultView | null {
  const { config, state, supply, borrow } = vault;
  const now = clock.unixTimestamp;
  const supplyPrices = computeExchangePricesAt(supply.reserve, now);
  const borrowPrices = computeExchangePricesAt(borrow.reserve, now);
  const prices = computeVaultPricesAt(
    config,
    state,
    { supply: supplyPrices.supply, borrow: borrowPrices.borrow },
    now,
  );
  if (prices === null) return null;
  const supplied = computeSuppliedAmounts(vault.supplyPosition, supplyPrices, supply.held, now);
  const borrowed = computeBorrowedAmounts(
    vault.borrowPosition,
    borrow.reserve,
    borrowPrices,
    borrow.held,
    now,
  );
  const supplyAtoms = (raw: bigint) => toTokenAtoms(toAtoms(raw, prices.supply), supply.decimals);
  const borrowAtoms = (raw: bigint) => toTokenAtoms(toAtoms(raw, prices.borrow), borrow.decimals);
  const supplyRateLiquidity = computeSupplyRate(supply.reserve, supplyPrices);
  const borrowRateLiquidity = BigInt(borrow.reserve.borrowRate);
  const gap = (supplied.supply * BigInt(config.withdrawGap)) / GAP_ONE;
  const withdrawableUntilLimit = computeHeldBack(supplied.withdrawableUntilLimit - gap);
  const borrowableUntilLimit = computeHeldBack(borrowed.borrowableUntilLimit);
  return {
    vault,
    now,
    prices,
    totalSupply: supplyAtoms(state.totalSupply),
    totalBorrow: borrowAtoms(state.totalBorrow),
    absorbedSupply: supplyAtoms(state.absorbedColAmount),
    absorbedBorrow: borrowAtoms(state.absorbedDebtAmount),
    supplied,
    borrowed,
    supplyRateLiquidity,
    supplyRate: supplyRateLiquidity + BigInt(config.supplyRateMagnifier),
    borrowRateLiquidity,
    borrowRate: borrowRateLiquidity + BigInt(config.borrowRateMagnifier),
    withdrawableUntilLimit,
    withdrawable: minimum(withdrawableUntilLimit, supply.held),
    borrowableUntilLimit,
    borrowable: minimum(borrowableUntilLimit, borrow.held),
    minimumBorrowing: minimumBorrowing(getMinimumOperateAmount(borrow.decimals), prices.borrow),
    oracle: readOracle(vault.oracle, read, clock),
  };
}

function computeHeldBack(amount: bigint): bigint {
  return amount > 0n ? (amount * HELD_BACK.parts) / HELD_BACK.of : 0n;
}
