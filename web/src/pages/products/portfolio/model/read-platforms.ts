import type { ExactJson } from '../../../../base/exact-json.ts';
import { shortenName } from '../../../../base/format-text.ts';
import { getText, listItems } from '../../../../base/read-json.ts';

const MAX_NAME = 32;
const MAX_DESCRIPTION = 300;

/** A platform whose positions are read. */
export interface KnownPlatform {
  readonly id: string;
  readonly name: string;
  readonly description: string;
}

/** Reads the list of platforms. */
export function readPlatforms(body: ExactJson | undefined): readonly KnownPlatform[] {
  const found = listItems(body).flatMap((entry): [string, KnownPlatform][] => {
    const id = getText(entry, 'id');
    if (id === null) return [];
    const name = shortenName(getText(entry, 'name') ?? id, MAX_NAME);
    const description = shortenName(getText(entry, 'description') ?? '', MAX_DESCRIPTION);
    return [[id, { id, name, description }]];
  });
  return [...new Map(found).values()];
}
