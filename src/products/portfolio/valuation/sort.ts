import { compareTexts } from '../../../common/compare-texts.ts';
import type { ValuedAsset, ValuedElement, ValuedToken } from './valued.ts';
import type { Yield } from '../../../protocol/positions/element.ts';

/** Unknown values come before every number, and larger numbers before smaller ones. */
export function compareValues(one: number | null, other: number | null): number {
  if (one === other) return 0;
  if (one === null) return -1;
  if (other === null) return 1;
  return other - one;
}

const ORDER = { collectible: 0, token: 1, generic: 2 } as const;

/** Collectibles, then tokens, then the rest; each by value, and equal values by mint or name. */
export function compareAssets(one: ValuedAsset, other: ValuedAsset): number {
  return (
    ORDER[one.asset.type] - ORDER[other.asset.type] ||
    compareValues(one.value, other.value) ||
    compareTexts(getSortKey(one), getSortKey(other))
  );
}

export function sortTokens(assets: readonly ValuedToken[]): ValuedToken[] {
  return [...assets].sort(compareAssets);
}

/**
 * Sorts assets, and their yields with them.
 *
 * Returns no yields at all when no asset has one.
 */
export function sortWithYields<Asset extends ValuedAsset>(
  assets: readonly Asset[],
  yields: readonly (readonly Yield[])[],
): { readonly assets: Asset[]; readonly yields: (readonly Yield[])[] } {
  const pairs = assets.map((asset, index) => ({ asset, yields: yields[index] ?? [] }));
  pairs.sort((one, other) => compareAssets(one.asset, other.asset));
  const sorted = pairs.map((pair) => pair.yields);
  return {
    assets: pairs.map(({ asset }) => asset),
    yields: sorted.some((each) => each.length > 0) ? sorted : [],
  };
}

/** The largest first. Equal values keep the order of the fetchers. */
export function sortElements(elements: readonly ValuedElement[]): ValuedElement[] {
  return [...elements].sort((one, other) => compareValues(one.value ?? 0, other.value ?? 0));
}

function getSortKey({ asset }: ValuedAsset): string {
  if (asset.type === 'generic') return asset.name ?? '';
  return asset.mint;
}
