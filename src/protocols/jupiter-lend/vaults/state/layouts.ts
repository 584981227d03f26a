import { defineAccountLayout, type DecodedLayout } from '../../lending-base/account-layout.ts';

// The accounts of the vaults program. Source: the public IDL `vaults`. Amounts are raw, with nine decimals.

/**
 * The terms of a vault. Factors and the gap are thousandths. Magnifiers, the penalty and the fee are basis points.
 */
export const VAULT_CONFIG = defineAccountLayout('vault config', '63562bd8b866774d', {
  vaultId: 'u16',
  /** Added to the rate of the liquidity program. */
  supplyRateMagnifier: 'i16',
  borrowRateMagnifier: 'i16',
  collateralFactor: 'u16',
  liquidationThreshold: 'u16',
  liquidationMaxLimit: 'u16',
  withdrawGap: 'u16',
  liquidationPenalty: 'u16',
  borrowFee: 'u8',
  /** 0 for an ordinary vault. Other types have a side in the dex program. */
  vaultType: 'u8',
  oracle: 'address',
  rebalancer: 'address',
  liquidityProgram: 'address',
  oracleProgram: 'address',
  supplyToken: 'address',
  borrowToken: 'address',
  bump: 'u8',
});
export type VaultConfig = DecodedLayout<typeof VAULT_CONFIG>;

/** The totals of a vault, and its current branch. */
export const VAULT_STATE = defineAccountLayout('vault state', 'e4c452a562d2eb98', {
  vaultId: 'u16',
  /** Whether the current branch was liquidated. */
  branchLiquidated: 'flag',
  /** The highest tick with debt, or `NO_TICK`. */
  topmostTick: 'i32',
  currentBranchId: 'u32',
  totalBranchId: 'u32',
  totalSupply: 'u64',
  /** The total debt without the dust of the positions. */
  totalBorrow: 'u64',
  totalPositions: 'u32',
  absorbedDebtAmount: 'u128',
  absorbedColAmount: 'u128',
  absorbedDustDebt: 'u64',
  /** Exchange prices as of the last update: 10^12 is 1.0. */
  liquiditySupplyExchangePrice: 'u64',
  liquidityBorrowExchangePrice: 'u64',
  vaultSupplyExchangePrice: 'u64',
  vaultBorrowExchangePrice: 'u64',
  nextPositionId: 'u32',
  /** Unix seconds. */
  lastUpdateTimestamp: 'u64',
});
export type VaultState = DecodedLayout<typeof VAULT_STATE>;

export const VAULT_METADATA = defineAccountLayout('vault metadata', 'f8b1f45d43137539', {
  vaultId: 'u16',
  lookupTable: 'address',
  supplyMintDecimals: 'u8',
  borrowMintDecimals: 'u8',
});
export type VaultMetadata = DecodedLayout<typeof VAULT_METADATA>;

/** A position. Its debt is not stored, but follows from the tick and the collateral. */
export const POSITION = defineAccountLayout('position', 'aabc8fe47a40f7d0', {
  vaultId: 'u16',
  nftId: 'u32',
  positionMint: 'address',
  isSupplyOnly: 'flag',
  /** The tick, or `NO_TICK` without debt. */
  tick: 'i32',
  /** The life of the tick in which the position entered it. */
  tickId: 'u32',
  supplyAmount: 'u64',
  /** The amount by which the tick overstates the debt. */
  dustDebtAmount: 'u64',
});
export type VaultPosition = DecodedLayout<typeof POSITION>;

/** The offset of `positionMint`, for filters. */
export const POSITION_MINT_OFFSET = 14;

/** All positions with the same ratio of debt to collateral. */
export const TICK = defineAccountLayout('tick', 'b05e43f785ad0773', {
  vaultId: 'u16',
  tick: 'i32',
  isLiquidated: 'flag',
  /** The number of lives of the tick so far. A liquidation ends a life. */
  totalIds: 'u32',
  rawDebt: 'u64',
  isFullyLiquidated: 'flag',
  liquidationBranchId: 'u32',
  /**
   * The debt factor of the branch when the tick was liquidated: a coefficient of 35 bits, then an exponent of 15 bits.
   */
  debtFactor: 'u64',
});
export type VaultTick = DecodedLayout<typeof TICK>;

/** The liquidations of three lives of a tick. */
export const TICK_ID_LIQUIDATION = defineAccountLayout('tick id liquidation', '291cbec544d51fb5', {
  vaultId: 'u16',
  tick: 'i32',
  tickMap: 'u32',
  isFullyLiquidated1: 'flag',
  liquidationBranchId1: 'u32',
  debtFactor1: 'u64',
  isFullyLiquidated2: 'flag',
  liquidationBranchId2: 'u32',
  debtFactor2: 'u64',
  isFullyLiquidated3: 'flag',
  liquidationBranchId3: 'u32',
  debtFactor3: 'u64',
});
export type TickIdLiquidation = DecodedLayout<typeof TICK_ID_LIQUIDATION>;

export const BranchStatus = { NOT_LIQUIDATED: 0, LIQUIDATED: 1, MERGED: 2, CLOSED: 3 } as const;

/** Positions that were liquidated together. Their debt and collateral follow from the branch's factor and tick. */
export const BRANCH = defineAccountLayout('branch', '0e3f643219081d05', {
  vaultId: 'u16',
  branchId: 'u32',
  status: 'u8',
  /** The tick down to which the branch was liquidated. */
  minimaTick: 'i32',
  /** The distance above the next lower tick, where 2^30 - 1 is a whole step. */
  minimaTickPartials: 'u32',
  debtLiquidity: 'u64',
  debtFactor: 'u64',
  connectedBranchId: 'u32',
  connectedMinimaTick: 'i32',
});
export type Branch = DecodedLayout<typeof BRANCH>;
