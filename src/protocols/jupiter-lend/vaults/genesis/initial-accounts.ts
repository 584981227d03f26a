import { PRICE_ONE } from '../../lending-base/amounts.ts';
import { type Branch, BranchStatus, type VaultState } from '../state/layouts.ts';
import { NO_TICK } from '../state/limits.ts';

/** Returns a branch that was never liquidated. */
export function createEmptyBranch(vaultId: number, branchId: number): Branch {
  return {
    vaultId,
    branchId,
    status: BranchStatus.NOT_LIQUIDATED,
    minimaTick: NO_TICK,
    minimaTickPartials: 0,
    debtLiquidity: 0n,
    debtFactor: 0n,
    connectedBranchId: 0,
    connectedMinimaTick: NO_TICK,
  };
}

/**
 * Returns the state of a vault without positions.
 * @param prices - The exchange prices of the liquidity program for the vault's two tokens.
 * @param at - Unix seconds.
 */
export function createVaultState(
  vaultId: number,
  prices: { readonly supply: bigint; readonly borrow: bigint },
  at: bigint,
): VaultState {
  return {
    vaultId,
    branchLiquidated: false,
    topmostTick: NO_TICK,
    currentBranchId: 1,
    totalBranchId: 1,
    totalSupply: 0n,
    totalBorrow: 0n,
    totalPositions: 0,
    absorbedDebtAmount: 0n,
    absorbedColAmount: 0n,
    absorbedDustDebt: 0n,
    liquiditySupplyExchangePrice: prices.supply,
    liquidityBorrowExchangePrice: prices.borrow,
    vaultSupplyExchangePrice: PRICE_ONE,
    vaultBorrowExchangePrice: PRICE_ONE,
    nextPositionId: 1,
    lastUpdateTimestamp: at,
  };
}
