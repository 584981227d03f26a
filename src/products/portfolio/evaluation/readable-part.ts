import type { Address } from '../../../solana/address.ts';
import type { Element, MultipleElement } from '../../../protocol/positions/element.ts';
import { mintsOfAsset } from '../valuation/value-asset.ts';
import { mintsOfElement } from '../valuation/value-element.ts';

/**
 * Returns an element without the assets and positions whose mints are unknown, so that one unknown mint does not hide
 * the rest of the element.
 *
 * @returns null if nothing is left
 */
export function readablePart(element: Element, isKnown: (mint: Address) => boolean): Element | null {
  if (mintsOfElement(element).every(isKnown)) return element;
  if (element.type === 'multiple') return readableAssets(element, isKnown);
  if (element.type !== 'liquidity') return null;
  const liquidities = element.liquidities.filter((position) =>
    mintsOfElement({ ...element, liquidities: [position] }).every(isKnown),
  );
  return liquidities.length === 0 ? null : { ...element, liquidities };
}

function readableAssets(element: MultipleElement, isKnown: (mint: Address) => boolean): Element | null {
  const kept = element.assets.map((asset) => mintsOfAsset(asset).every(isKnown));
  const assets = element.assets.filter((_, index) => kept[index]);
  if (assets.length === 0) return null;
  const { assetsYields } = element;
  return assetsYields === undefined
    ? { ...element, assets }
    : { ...element, assets, assetsYields: assetsYields.filter((_, index) => kept[index]) };
}
