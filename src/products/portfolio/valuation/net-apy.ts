import type { Yield } from '../../../protocol/positions/element.ts';
import type { ValuedAsset } from './valued.ts';

/** A yield, with the dollars that it applies to. */
interface YieldingItem {
  readonly apy: number;
  readonly value: number;
}

/** The yields of merely holding the tokens. */
export function collectOwnYields(assets: readonly ValuedAsset[]): YieldingItem[] {
  return assets.flatMap((asset) => toYieldingItems('yields' in asset ? asset.yields : [], asset.value));
}

/** The yields of assets at their platform, by their index in the list. Only the first yield of each asset counts. */
export function collectPlatformYields(
  assets: readonly ValuedAsset[],
  yields: readonly (readonly Yield[])[],
  counts: (apy: number) => boolean = () => true,
): YieldingItem[] {
  return assets.flatMap((asset, index) =>
    toYieldingItems(yields[index] ?? [], asset.value).filter(({ apy }) => counts(apy)),
  );
}

/** Returns what is worth `value` dollars and has the first of the yields; none if either is missing. */
export function toYieldingItems([first]: readonly Yield[], value: number | null): YieldingItem[] {
  return first === undefined || value === null || first.apy === 0 ? [] : [{ apy: first.apy, value }];
}

/**
 * The yield of a position as a whole: the sum of its items' yields, relative to the value of the position.
 *
 * Returns null if nothing yields, or the position is worth nothing.
 */
export function computeNetApy(items: readonly YieldingItem[], value: number | null): number | null {
  if (items.length === 0 || value === null || value === 0) return null;
  return items.reduce((sum, item) => sum + (item.apy * item.value) / value, 0);
}
