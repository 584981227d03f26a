import type { ScaledAmountConfig } from '../../../solana/programs/token/display-amount.ts';
import type { LendAsset } from '../../../lend/assets/asset.ts';
import { formatDecimal, formatTime } from './forms.ts';
import type { LendTokenJson } from './asset-schema.ts';

/** The fields that an asset has only where they are known. */
export function toKnownAssetFields({
  stakingApr,
  scaledUiConfig,
}: LendAsset): Pick<LendTokenJson, 'stakingApr' | 'scaledUiConfig'> {
  return {
    ...(stakingApr === null ? {} : { stakingApr }),
    ...(scaledUiConfig === null ? {} : { scaledUiConfig: toScaledConfigJson(scaledUiConfig) }),
  };
}

/** @param time - Unix seconds for which the price was computed. */
export function toLendTokenJson(asset: LendAsset, time: bigint): LendTokenJson {
  const { nativeStakeVoteAccount } = asset;
  return {
    address: asset.mint,
    chainId: 'solana',
    name: asset.name,
    symbol: asset.symbol,
    uiSymbol: asset.uiSymbol,
    decimals: asset.decimals,
    price: formatDecimal(asset.dollars ?? 0),
    ...(asset.logoUrl === '' ? {} : { logoUrl: asset.logoUrl }),
    ...(asset.coingeckoId === '' ? {} : { coingeckoId: asset.coingeckoId }),
    updatedAt: formatTime(time),
    ...toKnownAssetFields(asset),
    ...(nativeStakeVoteAccount === null ? {} : { nativeStakeVoteAccount }),
  };
}

function toScaledConfigJson({
  authority,
  multiplier,
  newMultiplier,
  newMultiplierEffectiveTimestamp,
}: ScaledAmountConfig) {
  return {
    ...(authority === null ? {} : { authority }),
    multiplier,
    newMultiplier,
    newMultiplierEffectiveTimestamp: String(newMultiplierEffectiveTimestamp),
  };
}
