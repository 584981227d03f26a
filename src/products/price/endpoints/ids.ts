import type { TString } from 'typebox';
import { RequestRefused } from '../../../common/request-refused.ts';
import { defineText, type Parameter } from '../../parameters/parameter.ts';
import { joinedListText } from '../../parameters/parameter-schema.ts';

/**
 * The parameter `ids` of an endpoint, with at most `maximum` mints. Each is read once, in the order of the request; some may
 * not be addresses.
 */
export function ids(maximum: number): Parameter<readonly string[], TString> {
  return defineText(joinedListText(`Mints, separated by commas; at most ${maximum}.`), (text) =>
    readIds(text, maximum),
  );
}

/**
 * Reads a list of mints. Blanks and repetitions have no meaning.
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
