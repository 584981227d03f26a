import { formatForError } from '../../common/format-for-error.ts';
import { Refused } from '../../common/refusal.ts';
import { type Address, parseAddress } from '../../solana/address.ts';

export interface MakerPair {
  readonly base: Address;
  readonly quote: Address;
}

/** The fields of a new maker, as the operator typed them. */
export interface MakerTerms {
  readonly id: string;
  /** Null or absent for none. */
  readonly name?: string | null;
  readonly address: string;
  /** `BASE/QUOTE` by their mints; null for all pairs. */
  readonly pairs: readonly string[] | null;
  /** Where the maker is asked for quotes; null or absent if it streams only. */
  readonly webhook?: WebhookTerms | null;
}

/** A webhook as the operator typed it. */
export interface WebhookTerms {
  readonly url: string;
  /** Sent as `x-api-key`; null if the maker wants none. */
  readonly apiKey: string | null;
}

const MAKER_ID = /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$/;
const MAKER_NAME =
  /^[\p{L}\p{N}\p{P}\p{S}](?:[\p{L}\p{M}\p{N}\p{P}\p{S} ]{0,62}[\p{L}\p{M}\p{N}\p{P}\p{S}])?$/u;
const MAX_PAIRS = 100;

/** @throws Refused when the text cannot be the id of a maker */
export function parseMakerId(id: string): string {
  if (MAKER_ID.test(id)) return id;
  const rule = '1 to 64 letters, digits, dots, hyphens and underscores, the first a letter or digit';
  throw new Refused('invalid-value', `the maker's id must be ${rule}, got ${formatForError(id)}`);
}

/** @throws Refused when the text cannot be the name of a maker */
export function parseMakerName(name: string): string {
  if (MAKER_NAME.test(name)) return name;
  const rule = '1 to 64 visible characters, with spaces only between them';
  throw new Refused('invalid-value', `the maker's name must be ${rule}, got ${formatForError(name)}`);
}

/** @throws Refused when a pair is invalid, or there are none or too many */
export function parseMakerPairs(texts: readonly string[]): readonly MakerPair[] {
  if (texts.length === 0 || texts.length > MAX_PAIRS) {
    throw new Refused('invalid-value', `pairs must be 1 to ${MAX_PAIRS}, got ${texts.length}`);
  }
  return texts.map((text) => {
    const [base = '', quote = '', ...rest] = text.split('/');
    if (rest.length > 0 || base === quote) {
      throw new Refused(
        'invalid-value',
        `a pair must be BASE/QUOTE by their mints, got ${formatForError(text)}`,
      );
    }
    return {
      base: parseMakerAddress('the base of a pair', base),
      quote: parseMakerAddress('the quote of a pair', quote),
    };
  });
}

const MAX_URL_LENGTH = 500;
const MAX_WEBHOOK_KEY = 200;

/**
 * Checks the form of the terms. `findUrlProblem` checks where the URL may lead.
 * @throws Refused when they are invalid
 */
export function parseWebhookTerms({ url, apiKey }: WebhookTerms): WebhookTerms {
  if (url.length > MAX_URL_LENGTH || !URL.canParse(url)) {
    throw new Refused('invalid-value', `the webhook must be a URL, got ${formatForError(url)}`);
  }
  if (apiKey !== null && !/^[\x21-\x7e]+$/.test(apiKey.slice(0, MAX_WEBHOOK_KEY + 1))) {
    throw new Refused('invalid-value', "the webhook's key must be visible ASCII characters without spaces");
  }
  if (apiKey !== null && apiKey.length > MAX_WEBHOOK_KEY) {
    throw new Refused('invalid-value', `the webhook's key must have at most ${MAX_WEBHOOK_KEY} characters`);
  }
  return { url: url.replace(/\/+$/, ''), apiKey };
}

/** Returns the stored form of the pairs; null for every pair. */
export function formatMakerPairs(pairs: readonly MakerPair[] | null): string | null {
  if (pairs === null) return null;
  return pairs.map(({ base, quote }) => `${base}/${quote}`).join(',');
}

/** @throws Refused when the text is no address */
export function parseMakerAddress(what: string, text: string): Address {
  const address = parseAddress(text);
  if (address !== null) return address;
  throw new Refused(
    'invalid-value',
    `${what} must be an address of 32 bytes in base58, got ${formatForError(text)}`,
  );
}
