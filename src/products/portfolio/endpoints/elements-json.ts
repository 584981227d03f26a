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
import { assetJson, genericJson, NETWORK, placeJson, tokenJson, yieldJson } from './assets-json.ts';

// JSON.stringify leaves out fields that are undefined.

export function elementJson(element: ValuedElement): object {
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
    data: dataJson(element),
  };
}

function dataJson(element: ValuedElement): object {
  switch (element.type) {
    case 'multiple':
      return multipleJson(element);
    case 'liquidity':
      return liquidityJson(element);
    case 'borrowlend':
      return borrowLendJson(element);
    case 'trade':
      return tradeJson(element);
    case 'leverage':
      return leverageJson(element);
  }
}

function multipleJson({ element, assets, assetsYields }: ValuedMultiple): object {
  return {
    assets: new LazyList(assets, assetJson),
    assetsYields: new LazyList(assetsYields, (yields) => yields.map(yieldJson)),
    ...placeJson(element),
  };
}

function liquidityJson({ liquidities }: ValuedLiquidity): object {
  return {
    liquidities: liquidities.map(
      ({ position, assets, assetsValue, rewardAssets, rewardAssetsValue, value, lp }) => ({
        assets: assets.map(tokenJson),
        assetsValue,
        rewardAssets: rewardAssets.map(tokenJson),
        rewardAssetsValue,
        value,
        yields: (position.yields ?? []).map(yieldJson),
        lp: lp ?? undefined,
        name: position.name,
        ...placeJson(position),
      }),
    ),
  };
}

function borrowLendJson(position: ValuedBorrowLend): object {
  const { element, unsettled } = position;
  return {
    value: position.value,
    suppliedAssets: position.suppliedAssets.map(tokenJson),
    borrowedAssets: position.borrowedAssets.map(tokenJson),
    rewardAssets: position.rewardAssets.map(tokenJson),
    unsettled:
      unsettled === null ? undefined : { assets: unsettled.assets.map(genericJson), value: unsettled.value },
    suppliedValue: position.suppliedValue,
    borrowedValue: position.borrowedValue,
    rewardValue: position.rewardValue,
    suppliedYields: position.suppliedYields.map((yields) => yields.map(yieldJson)),
    borrowedYields: position.borrowedYields.map((yields) => yields.map(yieldJson)),
    healthRatio: position.healthRatio,
    expireOn: element.expireOn,
    ...placeJson(element),
  };
}

function tradeJson(order: ValuedTrade): object {
  const { element, input, output, expectedOutputAmount, priceRange } = order;
  const { recurring } = element;
  return {
    assets: {
      input: input === null ? null : tokenJson(input),
      output: output === null ? null : tokenJson(output),
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
    ...placeJson(element),
  };
}

function leverageJson({ element, isolated, cross, value }: ValuedLeverage): object {
  return {
    isolated:
      isolated === null
        ? undefined
        : {
            positions: isolated.positions.map((each) => ({
              collateralValue: each.position.collateralValue,
              ...positionJson(each),
            })),
            value: isolated.value,
          },
    cross:
      cross === null
        ? undefined
        : {
            leverage: cross.leverage ?? undefined,
            collateralAssets: cross.collateralAssets.map(tokenJson),
            collateralValue: cross.collateralValue,
            positions: cross.positions.map(positionJson),
            value: cross.value,
          },
    value,
    ...placeJson(element),
  };
}

function positionJson(valued: ValuedLeveragePosition): object {
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
