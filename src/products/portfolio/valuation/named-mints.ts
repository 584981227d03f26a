import type { Address } from '../../../solana/address.ts';
import { mintsOfElement } from './value-element.ts';
import type { ValuedElement } from './valued.ts';

/** @returns the mints that an element names, which clients are given a description of */
export function namedMints(element: ValuedElement): readonly Address[] {
  if (element.type === 'multiple') {
    return element.assets.flatMap(({ asset }) => (asset.type === 'generic' ? [] : [asset.mint]));
  }
  if (element.type === 'liquidity') {
    const liquidities = element.liquidities.map(({ position }) => position);
    return mintsOfElement({ type: 'liquidity', label: element.label, liquidities });
  }
  return mintsOfElement(element.element);
}
