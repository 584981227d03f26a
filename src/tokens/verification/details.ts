import { formatForError } from '../../common/format-for-error.ts';
import { RequestRefused } from '../../common/request-refused.ts';
import type { TokenDetails } from '../facts/token.ts';

/** What somebody submits about a token. Null or absent: nothing about it. */
export type SubmittedDetails = { readonly [Name in keyof TokenDetails]?: string | null | undefined };

/** Links must name their site by https, or for messengers and networks may be a handle. */
const LINKS = [
  'website',
  'telegram',
  'twitter',
  'discord',
  'instagram',
  'tiktok',
  'otherUrl',
  'icon',
] as const;
const MAX_NAME = 64;
const MAX_SYMBOL = 32;
const MAX_LINK = 256;
/** More than any supply of 64 bits. */
const MAX_SUPPLY = 1.9e19;

/** Control characters, and those that are not shown or that reorder text. */
const UNSHOWABLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/u;

/**
 * Validates what was submitted about a token. Texts are for display, and must still be escaped where they are shown.
 *
 * Returns the details that were given.
 * @throws RequestRefused when one is too long, holds characters that are not shown, or is no https link
 */
export function parseDetails(submitted: SubmittedDetails): TokenDetails {
  const details: Record<string, string | number> = {};
  const set = (name: keyof TokenDetails, read: (text: string) => string | number) => {
    const text = submitted[name]?.trim() ?? '';
    if (text !== '') details[name] = read(text);
  };
  set('name', (text) => checkShownText('name', text, MAX_NAME));
  set('symbol', (text) => checkShownText('symbol', text, MAX_SYMBOL));
  for (const name of LINKS) set(name, (text) => httpsLink(name, text));
  set('circulatingSupply', supply);
  return details as TokenDetails;
}

/** @throws RequestRefused when the text is too long, or holds characters that are not shown */
export function checkShownText(name: string, text: string, maxLength: number): string {
  if ([...text].length > maxLength) {
    throw new RequestRefused(`${name} must have at most ${maxLength} characters, got ${[...text].length}`);
  }
  if (UNSHOWABLE.test(text)) {
    throw new RequestRefused(
      `${name} must not hold characters that are not shown or reorder text, got ${formatForError(text)}`,
    );
  }
  return text;
}

function httpsLink(name: string, text: string): string {
  checkShownText(name, text, MAX_LINK);
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.protocol !== 'https:' || url.username !== '' || url.password !== '') {
    throw new RequestRefused(
      `${name} must be a link that begins with https:// and has no user name, got ${formatForError(text)}`,
    );
  }
  // The parsed form: it is percent-encoded, so it holds neither quotes, nor angle brackets, nor spaces.
  if (url.href.length > MAX_LINK)
    throw new RequestRefused(`${name} must have at most ${MAX_LINK} characters`);
  return url.href.replaceAll("'", '%27');
}

function supply(text: string): number {
  const value = /^[0-9]{1,20}(\.[0-9]{1,18})?$/.test(text) ? Number(text) : Number.NaN;
  if (value <= MAX_SUPPLY) return value;
  throw new RequestRefused(
    `circulatingSupply must be a number of whole tokens in digits, got ${formatForError(text)}`,
  );
}
