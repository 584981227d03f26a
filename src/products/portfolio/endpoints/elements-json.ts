import type {
  ValuedBorrowLend,
  ValuedElement,
  ValuedLeverage,
  ValuedLeveragePosition,
  ValuedLiquidity,
  ValuedMultiple,
  ValuedTrade,
} from '../valuation/valued.ts';
import { LazyList } from '../../json-in-turns.ts';
import {
  toValuedAssetJson,
  toGenericJson,
  NETWORK,
  toPlaceJson,
  toValuedTokenJson,
  toYieldJson,
} from './assets-json.ts';

// JSON.stringify leaves out fields that are undefined.

export function toElementJson(element: ValuedElement): object {
  const { type, fetcherId, platformId, label, name, tags, value, netApy } = element;
  return {
    networkId: NETWORK,
    platformId,
    fetcherId,
    type,
    label,
    value,
    name: name ?? undefined,
    tags: tags.length === 0 ? undefined : tags,
    netApy: netApy ?? undefined,
    data: toElementDataJson(element),
  };
}

function toElementDataJson(element: ValuedElement): object {
  switch (element.type) {
    case 'multiple':
      return toMultipleJson(element);
    case 'liquidity':
      return toLiquidityJson(element);
    case 'borrowlend':
      return toBorrowLendJson(element);
    case 'trade':
      return toTradeJson(element);
    case 'leverage':
      return toLeverageJson(element);
  }
}

function toMultipleJson({ element, assets, assetsYields }: ValuedMultiple): object {
  return {
    assets: new LazyList(assets, toValuedAssetJson),
    assetsYields: new LazyList(assetsYields, (yields) => yields.map(toYieldJson)),
    ...toPlaceJson(element),
  };
}

function toLiquidityJson({ liquidities }: ValuedLiquidity): object {
  return {
    liquidities: liquidities.map(
      ({ position, assets, assetsValue, rewardAssets, rewardAssetsValue, value, lp }) => ({
        assets: assets.map(toValuedTokenJson),
        assetsValue,
        rewardAssets: rewardAssets.map(toValuedTokenJson),
        rewardAssetsValue,
        value,
        yields: (position.yields ?? []).map(toYieldJson),
        lp: lp ?? undefined,
        name: position.name,
        ...toPlaceJson(position),
      }),
    ),
  };
}

function toBorrowLendJson(position: ValuedBorrowLend): object {
  const { element, unsettled } = position;
  return {
    value: position.value,
    suppliedAssets: position.suppliedAssets.map(toValuedTokenJson),
    borrowedAssets: position.borrowedAssets.map(toValuedTokenJson),
    rewardAssets: position.rewardAssets.map(toValuedTokenJson),
    unsettled:
      unsettled === null
        ? undefined
        : { assets: unsettled.assets.map(toGenericJson), value: unsettled.value },
    suppliedValue: position.suppliedValue,
    borrowedValue: position.borrowedValue,
    rewardValue: position.rewardValue,
    suppliedYields: position.suppliedYields.map((yields) => yields.map(toYieldJson)),
    borrowedYields: position.borrowedYields.map((yields) => yields.map(toYieldJson)),
    healthRatio: position.healthRatio,
    expireOn: element.expireOn,
    ...toPlaceJson(element),
  };
}

function toTradeJson(order: ValuedTrade): object {
  const { element, input, output, expectedOutputAmount, priceRange } = order;
  const { recurring } = element;
  return {
    assets: {
      input: input === null ? null : toValuedTokenJson(input),
      output: output === null ? null : toValuedTokenJson(output),
    },
    inputAddress: element.inputMint,
    outputAddress: element.outputMint,
    initialInputAmount: order.initialInputAmount,
    withdrawnOutputAmount: order.withdrawnOutputAmount,
    expectedOutputAmount: expectedOutputAmount ?? undefined,
    inputPrice: order.inputPrice,
    outputPrice: order.outputPrice,
    filledPercentage: order.filledPercentage,
    createdAt: element.createdAt,
    expireAt: element.expireAt,
    recurring:
      recurring === undefined
        ? undefined
        : { cycles: recurring.cycles, interval: recurring.interval, priceRange: priceRange ?? undefined },
    ...toPlaceJson(element),
  };
}

function toLeverageJson({ element, isolated, cross, value }: ValuedLeverage): object {
  return {
    isolated:
      isolated === null
        ? undefined
        : {
            positions: isolated.positions.map((each) => ({
              collateralValue: each.position.collateralValue,
              ...toPositionJson(each),
            })),
            value: isolated.value,
          },
    cross:
      cross === null
        ? undefined
        : {
            leverage: cross.leverage ?? undefined,
            collateralAssets: cross.collateralAssets.map(toValuedTokenJson),
            collateralValue: cross.collateralValue,
            positions: cross.positions.map(toPositionJson),
            value: cross.value,
          },
    value,
    ...toPlaceJson(element),
  };
}

function toPositionJson(valued: ValuedLeveragePosition): object {
  const { position, markPrice, size, sizeValue, pnlValue, leverage, value } = valued;
  const { mint, name, imageUri, side, entryPrice, liquidationPrice, tp, sl, ref, sourceRefs } = position;
  return {
    address: mint,
    name,
    imageUri,
    side,
    entryPrice,
    markPrice,
    size,
    sizeValue,
    pnlValue,
    liquidationPrice,
    leverage: leverage ?? undefined,
    tp,
    sl,
    value: value ?? pnlValue,
    ref,
    sourceRefs,
  };
}
