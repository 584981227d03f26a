import type { Address } from '../../../solana/address.ts';
import type { Element, ElementLabel } from '../../../protocol/positions/element.ts';

/** The tag of probable spam: tokens that are not on the list of known tokens and that no deep pool prices. */
export const SPAM = 'Spam';

/**
 * Kinds of elements that anybody can give to any wallet. All other positions were opened by the owner, so they are
 * never spam.
 */
const GIVEN: ReadonlySet<ElementLabel> = new Set(['Wallet', 'Vesting']);

/** Tags probable spam among the tokens and collectibles that the wallet holds or that are locked for it. */
export function tagSpam(element: Element, isSpam: (mint: Address) => boolean): Element {
  if (element.type !== 'multiple' || !GIVEN.has(element.label)) return element;
  const assets = element.assets.map((asset) => {
    if (asset.type === 'generic') return asset;
    const isUnvouched = asset.type === 'collectible' ? asset.collection === null : isSpam(asset.mint);
    if (!isUnvouched) return asset;
    const { attributes = {} } = asset;
    return { ...asset, attributes: { ...attributes, tags: [...(attributes.tags ?? []), SPAM] } };
  });
  return { ...element, assets };
}

/** Removes the tagged assets. The element may then be empty; the valuation drops it. */
export function removeSpam(element: Element): Element {
  if (element.type !== 'multiple') return element;
  const kept = element.assets.filter(({ attributes }) => !(attributes?.tags ?? []).includes(SPAM));
  return { ...element, assets: kept };
}
