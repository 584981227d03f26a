import { formatForError } from '../../../common/format-for-error.ts';
import { type Address, parseAddress } from '../../../solana/address.ts';
import { RequestRefused } from '../../../common/request-refused.ts';
import { PLATFORMS } from '../../../protocols/fetchers.ts';

/** A list of platforms may repeat ids, but not be longer than this. */
const MAX_PLATFORMS = 100;

const PLATFORM_IDS: ReadonlySet<string> = new Set(PLATFORMS.map(({ id }) => id));

/**
 * @param name - The name of the parameter, for the message.
 * @throws RequestRefused when the text is not an address
 */
export function parseWallet(name: string, text: string): Address {
  const owner = parseAddress(text);
  if (owner !== null) return owner;
  throw new RequestRefused(`${name} must be a base58 address of 32 bytes, got ${formatForError(text)}`);
}

/** @throws RequestRefused for an id that is not in the list of platforms */
export function parsePlatforms(texts: readonly string[] | undefined): ReadonlySet<string> | null {
  const ids = (texts ?? []).map((text) => text.trim()).filter((text) => text !== '');
  if (ids.length > MAX_PLATFORMS) {
    throw new RequestRefused(`platforms may hold ${MAX_PLATFORMS} ids, got ${ids.length}`);
  }
  for (const id of ids) {
    if (PLATFORM_IDS.has(id)) continue;
    throw new RequestRefused(
      `platforms holds ${formatForError(id)}, which is no platform; GET /portfolio/v1/platforms lists them`,
    );
  }
  return ids.length === 0 ? null : new Set(ids);
}
