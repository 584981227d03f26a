import type { Address } from '../../../solana/address.ts';
import type {
  Asset,
  CollectibleAsset,
  GenericAsset,
  TokenAsset,
  Yield,
} from '../../../protocol/positions/element.ts';
import {
  type DisplayScale,
  toDisplayedAmount,
  toWholeTokens,
} from '../../../solana/programs/token/display-amount.ts';
import { roundValue } from './money.ts';
import type { ValuedAsset, ValuedCollectible, ValuedGeneric, ValuedToken } from './valued.ts';

/** The facts about a mint at the moment of the answer. */
export interface PricedMint {
  readonly decimals: number;
  /** By what displayed amounts differ from whole tokens. Default: by nothing. */
  readonly scale?: DisplayScale | null;
  /** Dollars per token as it is displayed. Null if unknown. */
  readonly price: number | null;
  /** The yields of merely holding the token. */
  readonly yields: readonly Yield[];
}

/** All mints of an answer, priced at one moment. */
export type PricedMints = ReadonlyMap<Address, PricedMint>;

/** @throws Error for a mint that is not in `mints`; the evaluation has already left such assets out */
export function getPricedMint(mints: PricedMints, mint: Address): PricedMint {
  const priced = mints.get(mint);
  if (priced === undefined) throw new Error(`mint ${mint} was not priced`);
  return priced;
}

/** Returns the amount as wallets display it. */
export function toShownAmount(atoms: bigint, { decimals, scale = null }: PricedMint): number {
  return toDisplayedAmount(atoms, { decimals, scale });
}

/** Returns dollars; a displayed amount that was rounded changes no value. */
export function computeDollars(atoms: bigint, { decimals, scale = null, price }: PricedMint): number | null {
  return price === null ? null : toWholeTokens(atoms, decimals) * price * (scale?.factor ?? 1);
}

export function valueAsset(asset: Asset, mints: PricedMints): ValuedAsset {
  if (asset.type === 'token') return valueToken(asset, mints);
  return asset.type === 'generic' ? valueGeneric(asset) : valueCollectible(asset, mints);
}

export function valueToken(asset: TokenAsset, mints: PricedMints): ValuedToken {
  const mint = getPricedMint(mints, asset.mint);
  const { price, yields } = mint;
  const amount = toShownAmount(asset.amount, mint);
  const value = roundValue(computeDollars(asset.amount, mint));
  return { asset, attributes: asset.attributes ?? {}, amount, price, value, yields: asset.yields ?? yields };
}

export function valueTokens(assets: readonly TokenAsset[], mints: PricedMints): ValuedToken[] {
  return assets.map((asset) => valueToken(asset, mints));
}

/** A collectible is worth the floor price of its collection. */
function valueCollectible(asset: CollectibleAsset, mints: PricedMints): ValuedCollectible {
  const amount = toShownAmount(asset.amount, getPricedMint(mints, asset.mint));
  const price = asset.floorPrice ?? null;
  const value = roundValue(price === null ? null : price * amount);
  return { asset, attributes: asset.attributes ?? {}, amount, price, value };
}

/** A value of 0 counts as unknown, because the source did not state it. */
export function valueGeneric(asset: GenericAsset): ValuedGeneric {
  return {
    asset,
    attributes: asset.attributes ?? {},
    value: roundValue(asset.value === 0 ? null : asset.value),
  };
}

/** Returns the mints that the asset names, whose decimals and price its value depends on. */
export function listAssetMints(asset: Asset): readonly Address[] {
  return asset.type === 'generic' ? [] : [asset.mint];
}
