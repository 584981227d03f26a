import type { AssetAttributes, SourceRef, Yield } from '../../../protocol/positions/element.ts';
import type { ValuedAsset, ValuedCollectible, ValuedGeneric, ValuedToken } from '../valuation/valued.ts';

/** The only network there is. */
export const NETWORK = 'solana';

export function assetJson(asset: ValuedAsset): object {
  if (isToken(asset)) return tokenJson(asset);
  return isCollectible(asset) ? collectibleJson(asset) : genericJson(asset as ValuedGeneric);
}

export function tokenJson(token: ValuedToken): object {
  const { asset, amount, price, yields } = token;
  return {
    ...headJson(token),
    type: 'token',
    data: {
      address: asset.mint,
      amount,
      price,
      ...(yields.length === 0 ? {} : { yields: yields.map(yieldJson) }),
    },
  };
}

export function genericJson(generic: ValuedGeneric): object {
  const { address, amount, price } = generic.asset;
  return { ...headJson(generic), type: 'generic', data: { address, amount, price } };
}

function collectibleJson(collectible: ValuedCollectible): object {
  const { asset, amount, price } = collectible;
  const { mint, name, description, imageUri, dataUri, traits, collection } = asset;
  return {
    ...headJson(collectible),
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

function headJson({ asset, attributes, value }: ValuedAsset) {
  const { name, imageUri, ref, sourceRefs, link } = asset;
  return {
    networkId: NETWORK,
    value,
    attributes: attributesJson(attributes),
    name,
    imageUri,
    ref,
    sourceRefs,
    link,
  };
}

function attributesJson({
  lockedUntil,
  isDeprecated,
  isClaimable,
  tags,
  validator,
  prediction,
}: AssetAttributes) {
  return { lockedUntil, isDeprecated, isClaimable, tags, validator, prediction };
}

export function yieldJson({ apy, apr, description }: Yield): object {
  return { apy, apr, description };
}

/** Where a position is, as every kind of element carries it. */
export function placeJson(place: {
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
