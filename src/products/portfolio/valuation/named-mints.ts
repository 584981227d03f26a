import type { Address } from '../../../solana/address.ts';
import { listElementMints } from './value-element.ts';
import type { ValuedElement } from './valued.ts';

/** Returns the mints that an element names, which clients are given a description of. */
export function listNamedMints(element: ValuedElement): readonly Address[] {
  if (element.type === 'multiple') {
    return element.assets.flatMap(({ asset }) => (asset.type === 'generic' ? [] : [asset.mint]));
  }
  if (element.type === 'liquidity') {
    const liquidities = element.liquidities.map(({ position }) => position);
    return listElementMints({ type: 'liquidity', label: element.label, liquidities });
  }
  return listElementMints(element.element);
}
