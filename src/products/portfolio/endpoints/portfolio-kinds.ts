import { type TArray, type TString, Type } from 'typebox';
import { formatForError } from '../../../common/format-for-error.ts';
import { type Address, parseAddress } from '../../../solana/address.ts';
import { RequestRefused } from '../../../common/request-refused.ts';
import { PLATFORMS } from '../../../protocols/fetchers.ts';
import { list } from '../../parameters/kinds.ts';
import { defineText, type Parameter } from '../../parameters/parameter.ts';

/** A list of platforms may repeat ids, but not be longer than this. */
const MAX_PLATFORMS = 100;

const PLATFORM_IDS: ReadonlySet<string> = new Set(PLATFORMS.map(({ id }) => id));

/** A parameter that is the address of a wallet. */
export function wallet(): Parameter<Address, TString> {
  return defineText(Type.String({ description: 'The address of the wallet.' }), (text, name) => {
    const owner = parseAddress(text);
    if (owner !== null) return owner;
    throw new RequestRefused(`${name} must be a base58 address of 32 bytes, got ${formatForError(text)}`);
  });
}

/** A parameter that is a list of ids of platforms. It is null if the list is empty. */
export function platforms(description: string): Parameter<ReadonlySet<string> | null, TArray<TString>> {
  const { schema, read } = list(description);
  return {
    schema,
    read: (given, name, refuse) => {
      const ids = read(given, name, refuse);
      if (ids.length > MAX_PLATFORMS) {
        throw new RequestRefused(`${name} may hold ${MAX_PLATFORMS} ids, got ${ids.length}`);
      }
      for (const id of ids) {
        if (PLATFORM_IDS.has(id)) continue;
        throw new RequestRefused(
          `${name} holds ${formatForError(id)}, which is no platform; GET /portfolio/v1/platforms lists them`,
        );
      }
      return ids.length === 0 ? null : new Set(ids);
    },
  };
}
