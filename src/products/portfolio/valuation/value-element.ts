import { mapInTurns, createUnaccountedWork, type Work } from '../../../common/work/work.ts';
import type { Address } from '../../../solana/address.ts';
import type {
  Element,
  LiquidityElement,
  LiquidityPosition,
  MultipleElement,
  TokenAsset,
} from '../../../protocol/positions/element.ts';
import { valueBorrowLend } from './borrow-lend.ts';
import { valueLeverage } from './leverage.ts';
import { roundValue, sumKnown } from './money.ts';
import { toYieldingItems, computeNetApy, collectOwnYields, collectPlatformYields } from './net-apy.ts';
import { sortTokens, sortWithYields } from './sort.ts';
import { valueTrade } from './trade.ts';
import {
  listAssetMints,
  type PricedMints,
  getPricedMint,
  toShownAmount,
  valueAsset,
  valueTokens,
} from './value-asset.ts';
import type {
  ValuedElement,
  ValuedLiquidity,
  ValuedLiquidityPosition,
  ValuedMultiple,
  ValuedToken,
} from './valued.ts';

type ElementHead = 'fetcherId' | 'platformId' | 'label' | 'name' | 'tags';

/**
 * Computes the value of an element.
 *
 * @param fetcher - The fetcher that found the element.
 * @param mints - Every mint of the element, by `listElementMints`.
 * @param work - Whose turns the assets are valued in. Default: nobody's.
 * @returns null for an element that holds nothing
 */
export async function valueElement(
  element: Element,
  fetcher: { readonly id: string; readonly platformId: string },
  mints: PricedMints,
  work: Work = createUnaccountedWork(),
): Promise<ValuedElement | null> {
  const turn = work.take(1);
  if (turn !== null) await turn;
  const valued = await valueByType(element, mints, work);
  if (valued === null) return null;
  return {
    ...valued,
    fetcherId: fetcher.id,
    platformId: element.platformId ?? fetcher.platformId,
    label: element.label,
    name: element.name ?? null,
    tags: element.tags ?? [],
  };
}

function valueByType(element: Element, mints: PricedMints, work: Work) {
  switch (element.type) {
    case 'multiple':
      return valueMultiple(element, mints, work);
    case 'liquidity':
      return valueLiquidity(element, mints);
    case 'borrowlend':
      return valueBorrowLend(element, mints);
    case 'trade':
      return valueTrade(element, mints);
    case 'leverage':
      return valueLeverage(element, mints);
  }
}

async function valueMultiple(
  element: MultipleElement,
  mints: PricedMints,
  work: Work,
): Promise<Omit<ValuedMultiple, ElementHead> | null> {
  const held = element.assets.map((asset) => asset.type === 'generic' || asset.amount > 0n);
  const found = await mapInTurns(
    work,
    element.assets.filter((_, index) => held[index]),
    (asset) => valueAsset(asset, mints),
  );
  if (found.length === 0) return null;
  const places = (element.assetsYields ?? []).filter((_, index) => held[index]);
  const { assets, yields } = sortWithYields(found, places);
  const value = roundValue(sumKnown(assets.map((asset) => asset.value)));
  const netApy = computeNetApy([...collectOwnYields(found), ...collectPlatformYields(found, places)], value);
  return { type: 'multiple', element, assets, assetsYields: yields, value, netApy };
}

function valueLiquidity(
  element: LiquidityElement,
  mints: PricedMints,
): Omit<ValuedLiquidity, ElementHead> | null {
  const liquidities = element.liquidities.flatMap((position) => valuePosition(position, mints) ?? []);
  if (liquidities.length === 0) return null;
  const value = roundValue(liquidities.reduce((sum, each) => sum + each.value, 0));
  const items = liquidities.flatMap(({ position, assets, assetsValue }) => [
    ...collectOwnYields(assets),
    ...toYieldingItems(position.yields ?? [], assetsValue),
  ]);
  return { type: 'liquidity', liquidities, value, netApy: computeNetApy(items, value) };
}

/** Returns null for a position without tokens. Tokens without a known price are shown and count as 0. */
function valuePosition(position: LiquidityPosition, mints: PricedMints): ValuedLiquidityPosition | null {
  const assets = valueHeldTokens(position.assets, mints);
  const rewardAssets = valueHeldTokens(position.rewardAssets, mints);
  if (assets.length + rewardAssets.length === 0) return null;
  const assetsValue = roundValue(sumKnown(assets.map(({ value }) => value)));
  const rewardAssetsValue = roundValue(sumKnown(rewardAssets.map(({ value }) => value)));
  const { lp } = position;
  return {
    position,
    assets,
    assetsValue,
    rewardAssets,
    rewardAssetsValue,
    value: roundValue(assetsValue + rewardAssetsValue),
    lp:
      lp === undefined
        ? null
        : { mint: lp.mint, amount: toShownAmount(lp.amount, getPricedMint(mints, lp.mint)) },
  };
}

function valueHeldTokens(tokens: readonly TokenAsset[], mints: PricedMints): ValuedToken[] {
  return sortTokens(
    valueTokens(
      tokens.filter(({ amount }) => amount > 0n),
      mints,
    ),
  );
}

/** Returns every mint that the value of the element depends on, possibly more than once. */
export function listElementMints(element: Element): readonly Address[] {
  switch (element.type) {
    case 'multiple':
      return element.assets.flatMap(listAssetMints);
    case 'liquidity':
      return element.liquidities.flatMap(({ assets, rewardAssets, lp }) => [
        ...[...assets, ...rewardAssets].map(({ mint }) => mint),
        ...(lp === undefined ? [] : [lp.mint]),
      ]);
    case 'borrowlend':
      return [...element.suppliedAssets, ...element.borrowedAssets, ...element.rewardAssets].map(
        ({ mint }) => mint,
      );
    case 'trade':
      return [element.inputMint, element.outputMint];
    case 'leverage':
      return [
        ...(element.isolated ?? []).map(({ mint }) => mint),
        ...(element.cross?.positions ?? []).map(({ mint }) => mint),
        ...(element.cross?.collateralAssets ?? []).map(({ mint }) => mint),
      ];
  }
}
