import type { Address } from '../../../solana/address.ts';
import type { Element, ElementLabel } from '../../../positions/element.ts';

/** The tag of tokens that nothing speaks for: not on the list of known tokens, and without a price by a deep pool. */
export const SPAM = 'Spam';

/** What anybody can give to any wallet. All other positions are the owner's doing, and never spam. */
const GIVEN: ReadonlySet<ElementLabel> = new Set(['Wallet', 'Vesting']);

/** Tags what nothing speaks for among the tokens and collectibles that the wallet holds or that are locked for it. */
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

/** Leaves out the tagged assets. An element may be empty after that; the valuation drops it. */
export function withoutSpam(element: Element): Element {
  if (element.type !== 'multiple') return element;
  const kept = element.assets.filter(({ attributes }) => !(attributes?.tags ?? []).includes(SPAM));
  return { ...element, assets: kept };
}
