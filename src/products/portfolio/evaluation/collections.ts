import type { Address } from '../../../solana/address.ts';
import type { CollectibleAsset, Element } from '../../../protocol/positions/element.ts';

/** Facts about a collection that are not on the chain. */
export interface KnownCollection {
  readonly name: string;
  /** Dollars; null if unknown. */
  readonly floorPrice: number | null;
}

/** Adds the known facts about their collections to collectibles. */
export function addCollections(
  element: Element,
  collectionOf: (id: Address) => KnownCollection | null,
): Element {
  if (element.type !== 'multiple') return element;
  const assets = element.assets.map((asset) =>
    asset.type === 'collectible' ? addCollectionFacts(asset, collectionOf) : asset,
  );
  return { ...element, assets };
}

function addCollectionFacts(
  asset: CollectibleAsset,
  collectionOf: (id: Address) => KnownCollection | null,
): CollectibleAsset {
  const { collection } = asset;
  const known = collection === null ? null : collectionOf(collection.id);
  if (collection === null || known === null) return asset;
  const named = { ...asset, collection: { id: collection.id, name: known.name } };
  return known.floorPrice === null ? named : { ...named, floorPrice: known.floorPrice };
}
