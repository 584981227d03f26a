import type { LendAsset } from '../../../../lend/assets/asset.ts';
import type { EarnPosition } from '../../../../lend/earn/positions.ts';
import type { ListedEarnToken } from '../../../../lend/earn/tokens.ts';
import { toKnownAssetFields } from '../asset-json.ts';
import { formatDecimal, formatTime } from '../forms.ts';
import type { EarnPositionJson, EarnTokenJson } from './token-schema.ts';

export function toEarnTokenJson({ token, asset, time }: ListedEarnToken): EarnTokenJson {
  const { lending, supply, shares } = token.market;
  // The program that creates a receipt mint writes these names in capitals.
  const symbol = asset.symbol.toUpperCase();
  return {
    id: lending.lendingId,
    address: lending.fTokenMint,
    name: `jupiter lend ${symbol}`,
    symbol: `jl${symbol}`,
    decimals: lending.decimals,
    assetAddress: lending.mint,
    asset: toAssetJson(asset, time),
    totalAssets: String(token.totalAssets),
    totalSupply: String(shares),
    convertToShares: String(token.convertToShares),
    convertToAssets: String(token.convertToAssets),
    rewardsRate: String(token.rewardsRate),
    supplyRate: String(token.supplyRate),
    totalRate: String(token.rewardsRate + token.supplyRate),
    rebalanceDifference: String(token.rebalanceDifference),
    liquiditySupplyData: {
      modeWithInterest: supply.withInterest,
      supply: String(token.supplied.supply),
      withdrawalLimit: String(token.supplied.withdrawalLimit),
      lastUpdateTimestamp: String(supply.lastUpdate),
      expandPercent: String(supply.expandPercent),
      expandDuration: String(supply.expandDuration),
      baseWithdrawalLimit: String(token.supplied.baseWithdrawalLimit),
      withdrawableUntilLimit: String(token.supplied.withdrawableUntilLimit),
      withdrawable: String(token.supplied.withdrawable),
    },
    rewards: [],
  };
}

export function toEarnPositionJson(position: EarnPosition, token: EarnTokenJson): EarnPositionJson {
  return {
    token,
    ownerAddress: position.owner,
    shares: String(position.shares),
    underlyingAssets: String(position.underlyingAssets),
    underlyingBalance: String(position.underlyingBalance),
    allowance: '0',
  };
}

/** Clients of the public interface read either spelling. */
function toAssetJson(asset: LendAsset, time: bigint): EarnTokenJson['asset'] {
  return {
    address: asset.mint,
    chain_id: 'solana',
    chainId: 'solana',
    name: asset.name,
    symbol: asset.symbol,
    uiSymbol: asset.uiSymbol,
    decimals: asset.decimals,
    logo_url: asset.logoUrl,
    logoUrl: asset.logoUrl,
    price: formatDecimal(asset.dollars ?? 0),
    coingecko_id: asset.coingeckoId,
    coingeckoId: asset.coingeckoId,
    updatedAt: formatTime(time),
    ...toKnownAssetFields(asset),
  };
}
