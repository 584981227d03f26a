import type { ScaledAmountConfig } from '../../../solana/programs/token/display-amount.ts';
import type { Asset } from '../../../lend/assets/asset.ts';
import { decimalText, timeText } from './forms.ts';
import type { LendTokenJson } from './asset-schema.ts';

/** The fields that an asset has only where they are known. */
export function knownOfAsset({
  stakingApr,
  scaledUiConfig,
}: Asset): Pick<LendTokenJson, 'stakingApr' | 'scaledUiConfig'> {
  return {
    ...(stakingApr === null ? {} : { stakingApr }),
    ...(scaledUiConfig === null ? {} : { scaledUiConfig: scaledJson(scaledUiConfig) }),
  };
}

/** @param time - Unix seconds for which the price was computed. */
export function toLendTokenJson(asset: Asset, time: bigint): LendTokenJson {
  const { nativeStakeVoteAccount } = asset;
  return {
    address: asset.mint,
    chainId: 'solana',
    name: asset.name,
    symbol: asset.symbol,
    uiSymbol: asset.uiSymbol,
    decimals: asset.decimals,
    price: decimalText(asset.dollars ?? 0),
    ...(asset.logoUrl === '' ? {} : { logoUrl: asset.logoUrl }),
    ...(asset.coingeckoId === '' ? {} : { coingeckoId: asset.coingeckoId }),
    updatedAt: timeText(time),
    ...knownOfAsset(asset),
    ...(nativeStakeVoteAccount === null ? {} : { nativeStakeVoteAccount }),
  };
}

function scaledJson({
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
