import type { AssetAttributes, SourceRef, Yield } from '../../../protocol/positions/element.ts';
import type { ValuedAsset, ValuedCollectible, ValuedGeneric, ValuedToken } from '../valuation/valued.ts';

/** The only network there is. */
export const NETWORK = 'solana';

export function toValuedAssetJson(asset: ValuedAsset): object {
  if (isToken(asset)) return toValuedTokenJson(asset);
  return isCollectible(asset) ? toCollectibleJson(asset) : toGenericJson(asset as ValuedGeneric);
}

export function toValuedTokenJson(token: ValuedToken): object {
  const { asset, amount, price, yields } = token;
  return {
    ...toAssetHeadJson(token),
    type: 'token',
    data: {
      address: asset.mint,
      amount,
      price,
      ...(yields.length === 0 ? {} : { yields: yields.map(toYieldJson) }),
    },
  };
}

export function toGenericJson(generic: ValuedGeneric): object {
  const { address, amount, price } = generic.asset;
  return { ...toAssetHeadJson(generic), type: 'generic', data: { address, amount, price } };
}

function toCollectibleJson(collectible: ValuedCollectible): object {
  const { asset, amount, price } = collectible;
  const { mint, name, description, imageUri, dataUri, traits, collection } = asset;
  return {
    ...toAssetHeadJson(collectible),
    type: 'collectible',
    data: {
      address: mint,
      amount,
      price,
      name,
      description,
      imageUri,
      dataUri,
      attributes: traits,
      ...(collection === null
        ? {}
        : { collection: { id: collection.id, floorPrice: price, name: collection.name } }),
    },
  };
}

function toAssetHeadJson({ asset, attributes, value }: ValuedAsset) {
  const { name, imageUri, ref, sourceRefs, link } = asset;
  return {
    networkId: NETWORK,
    value,
    attributes: toAttributesJson(attributes),
    name,
    imageUri,
    ref,
    sourceRefs,
    link,
  };
}

function toAttributesJson({
  lockedUntil,
  isDeprecated,
  isClaimable,
  tags,
  validator,
  prediction,
}: AssetAttributes) {
  return { lockedUntil, isDeprecated, isClaimable, tags, validator, prediction };
}

export function toYieldJson({ apy, apr, description }: Yield): object {
  return { apy, apr, description };
}

/** Where a position is, as every kind of element carries it. */
export function toPlaceJson(place: {
  readonly contract?: string;
  readonly ref?: string;
  readonly sourceRefs?: readonly SourceRef[];
  readonly link?: string;
}): object {
  const { contract, ref, sourceRefs, link } = place;
  return { contract, ref, sourceRefs, link };
}

function isToken(asset: ValuedAsset): asset is ValuedToken {
  return asset.asset.type === 'token';
}

function isCollectible(asset: ValuedAsset): asset is ValuedCollectible {
  return asset.asset.type === 'collectible';
}
