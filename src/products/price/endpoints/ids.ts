import { type Address, parseAddress } from '../../../solana/address.ts';
import { joinedListText } from '../../parameters.ts';
import { RequestRefused } from '../../../common/request-refused.ts';

/** The parameter `ids` of an endpoint, with at most `maximum` mints. */
export function idsParameter(maximum: number) {
  return joinedListText(`Mints, separated by commas; at most ${maximum}.`);
}

/**
 * Reads the parameter `ids`. Blanks and repetitions have no meaning.
 * @returns each text once, in the order of the request; some may not be addresses
 * @throws RequestRefused when there is none, or more than `maximum`
 */
export function readIds(text: string, maximum: number): readonly string[] {
  const ids = new Set<string>();
  for (const part of text.split(',')) {
    const id = part.trim();
    if (id !== '') ids.add(id);
  }
  if (ids.size === 0) {
    throw new RequestRefused('ids must hold at least one mint; separate several with commas');
  }
  if (ids.size > maximum) throw new RequestRefused(`ids may hold at most ${maximum} mints, got ${ids.size}`);
  return [...ids];
}

/** @returns null for a text that is not an address. That is not an error: it just has no price */
export function parseMintId(id: string): Address | null {
  return parseAddress(id);
}
