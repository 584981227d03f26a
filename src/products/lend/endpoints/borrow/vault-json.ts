import type { OracleSource } from '../../../../protocols/jupiter-lend/oracle/layouts.ts';
import type { ListedVault } from '../../../../lend/borrow/borrow.ts';
import type { ListedPosition } from '../../../../lend/borrow/find-positions.ts';
import { isPegged } from '../../../../lend/borrow/pegged.ts';
import type { VaultView } from '../../../../lend/borrow/vault-view.ts';
import { toLendTokenJson } from '../asset-json.ts';
import type { BorrowPositionJson, BorrowVaultJson } from './vault-schema.ts';

/** The distance that the pages of the public service keep from the maximum leverage. */
const REDUCE_FACTOR = 300;

export function toBorrowVaultJson({ id, view, supplyToken, borrowToken }: ListedVault): BorrowVaultJson {
  const { vault, supplied, borrowed, oracle, now } = view;
  const { config, state } = vault;
  return {
    id,
    address: vault.address,
    supplyToken: toLendTokenJson(supplyToken, now),
    borrowToken: toLendTokenJson(borrowToken, now),
    totalSupply: String(view.totalSupply),
    totalSupplyLiquidity: String(supplied.supply),
    totalBorrow: String(view.totalBorrow),
    totalBorrowLiquidity: String(borrowed.borrow),
    absorbedSupply: String(view.absorbedSupply),
    absorbedBorrow: String(view.absorbedBorrow),
    supplyRateMagnifier: String(config.supplyRateMagnifier),
    borrowRateMagnifier: String(config.borrowRateMagnifier),
    borrowFee: String(config.borrowFee),
    collateralFactor: String(config.collateralFactor),
    liquidationThreshold: String(config.liquidationThreshold),
    liquidationMaxLimit: String(config.liquidationMaxLimit),
    liquidationPenalty: String(config.liquidationPenalty),
    withdrawalGap: String(config.withdrawGap),
    supplyRate: String(view.supplyRate),
    supplyRateLiquidity: String(view.supplyRateLiquidity),
    borrowRate: String(view.borrowRate),
    borrowRateLiquidity: String(view.borrowRateLiquidity),
    withdrawLimit: String(supplied.withdrawalLimit),
    withdrawableUntilLimit: String(view.withdrawableUntilLimit),
    withdrawable: String(view.withdrawable),
    borrowLimit: String(borrowed.borrowLimit),
    borrowableUntilLimit: String(view.borrowableUntilLimit),
    borrowable: String(view.borrowable),
    borrowLimitUtilization: String(borrowed.borrowLimitUtilization),
    minimumBorrowing: String(view.minimumBorrowing),
    totalPositions: state.totalPositions,
    oracle: config.oracle,
    ...(oracle.operate === null
      ? {}
      : { oraclePrice: String(oracle.operate), oraclePriceOperate: String(oracle.operate) }),
    ...(oracle.liquidate === null ? {} : { oraclePriceLiquidate: String(oracle.liquidate) }),
    oracleSources: vault.oracle.sources.map(toSourceJson),
    ...(oracle.publishTime === null ? {} : { oracleTimestamp: Number(oracle.publishTime) }),
    liquiditySupplyData: toSupplyDataJson(view),
    liquidityBorrowData: toBorrowDataJson(view),
    rewards: [],
    topTick: state.topmostTick,
    metadata: {
      maxLeverage: false,
      nativeStake: supplyToken.nativeStakeVoteAccount !== null,
      pegged: isPegged(vault),
      multiply: { enabled: true, reduceFactor: REDUCE_FACTOR },
    },
  };
}

export function toBorrowPositionJson(
  { view, vault }: ListedPosition,
  vaultJson: BorrowVaultJson,
): BorrowPositionJson {
  const { position } = view;
  return {
    id: position.nftId,
    vaultId: vault.id,
    address: position.positionMint,
    supply: String(view.supply),
    beforeSupply: String(view.beforeSupply),
    borrow: String(view.borrow),
    beforeBorrow: String(view.beforeBorrow),
    isLiquidated: view.isLiquidated,
    supplyLiquidation: view.isLiquidated ? formatDifference(view.beforeSupply, view.supply) : '0',
    borrowLiquidation: view.isLiquidated ? formatDifference(view.beforeBorrow, view.borrow) : '0',
    isSupplyPosition: view.isSupplyPosition,
    tick: view.tick,
    tickId: position.tickId,
    dustBorrow: String(view.dustBorrow),
    ownerAddress: view.owner,
    vault: vaultJson,
    config: {},
  };
}

function formatDifference(before: bigint, now: bigint): string {
  return String(before > now ? before - now : 0n);
}

function toSourceJson({ source, invert, multiplier, divisor, sourceType }: OracleSource) {
  return {
    source,
    invert,
    multiplier: String(multiplier),
    divisor: String(divisor),
    sourceType: { [sourceType]: {} },
  };
}

function toSupplyDataJson({ vault, supplied }: VaultView): BorrowVaultJson['liquiditySupplyData'] {
  const { supplyPosition } = vault;
  return {
    modeWithInterest: supplyPosition.withInterest,
    supply: String(supplied.supply),
    withdrawalLimit: String(supplied.withdrawalLimit),
    lastUpdateTimestamp: String(supplyPosition.lastUpdate),
    expandPercent: supplyPosition.expandPercent,
    expandDuration: supplyPosition.expandDuration,
    baseWithdrawalLimit: String(supplied.baseWithdrawalLimit),
    withdrawableUntilLimit: String(supplied.withdrawableUntilLimit),
    withdrawable: String(supplied.withdrawable),
  };
}

function toBorrowDataJson({ vault, borrowed }: VaultView): BorrowVaultJson['liquidityBorrowData'] {
  const { borrowPosition } = vault;
  return {
    modeWithInterest: borrowPosition.withInterest,
    borrow: String(borrowed.borrow),
    borrowLimit: String(borrowed.borrowLimit),
    lastUpdateTimestamp: String(borrowPosition.lastUpdate),
    expandPercent: borrowPosition.expandPercent,
    expandDuration: borrowPosition.expandDuration,
    baseBorrowLimit: String(borrowed.baseBorrowLimit),
    maxBorrowLimit: String(borrowed.maxBorrowLimit),
    borrowLimitUtilization: String(borrowed.borrowLimitUtilization),
    borrowableUntilLimit: String(borrowed.borrowableUntilLimit),
    borrowable: String(borrowed.borrowable),
  };
}
