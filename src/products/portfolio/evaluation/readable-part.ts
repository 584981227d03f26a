import type { Address } from '../../../solana/address.ts';
import type { Element, MultipleElement } from '../../../protocol/positions/element.ts';
import { listAssetMints } from '../valuation/value-asset.ts';
import { listElementMints } from '../valuation/value-element.ts';

/**
 * Returns an element without the assets and positions whose mints are unknown, so that one unknown mint does not hide
 * the rest of the element.
 *
 * Returns null if nothing is left.
 */
export function findReadablePart(element: Element, isKnown: (mint: Address) => boolean): Element | null {
  if (listElementMints(element).every(isKnown)) return element;
  if (element.type === 'multiple') return findReadableAssets(element, isKnown);
  if (element.type !== 'liquidity') return null;
  const liquidities = element.liquidities.filter((position) =>
    listElementMints({ ...element, liquidities: [position] }).every(isKnown),
  );
  return liquidities.length === 0 ? null : { ...element, liquidities };
}

function findReadableAssets(element: MultipleElement, isKnown: (mint: Address) => boolean): Element | null {
  const kept = element.assets.map((asset) => listAssetMints(asset).every(isKnown));
  const assets = element.assets.filter((_, index) => kept[index]);
  if (assets.length === 0) return null;
  const { assetsYields } = element;
  return assetsYields === undefined
    ? { ...element, assets }
    : { ...element, assets, assetsYields: assetsYields.filter((_, index) => kept[index]) };
}
