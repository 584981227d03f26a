import { RequestRefused } from '../../../common/request-refused.ts';
import type { VerificationSubmission } from '../../../tokens/verification/requests.ts';
import { parseDetails, checkShownText, type SubmittedDetails } from '../../../tokens/verification/details.ts';

/** What a client sends about a token, as it came. */
export interface SubmittedTexts {
  readonly tokenId: string;
  readonly twitterHandle: string;
  readonly senderTwitterHandle?: string | undefined;
  readonly description: string;
  readonly tokenMetadata?: SubmittedMetadata | undefined;
}

/** All fields are texts, or switches that say whether a text counts. */
export type SubmittedMetadata = { readonly tokenId: string } & Readonly<
  Record<string, string | boolean | null | undefined>
>;

const MAX_HANDLE = 256;
const MAX_DESCRIPTION = 2_000;

/** Texts that only the operator sees, each with the switch that turns it off. */
const NOTES = {
  tokenDescription: null,
  twitterCommunity: null,
  coingeckoCoinId: 'useCoingeckoCoinId',
  circulatingSupplyUrl: 'useCirculatingSupplyUrl',
} as const;
const MAX_NOTE = 2_000;

/**
 * Validates what was submitted about a token.
 *
 * @throws RequestRefused when a text is too long, holds what is not shown, or a link is none
 */
export function parseSubmission(submitted: SubmittedTexts): VerificationSubmission {
  return {
    twitterHandle: checkShownText('twitterHandle', submitted.twitterHandle.trim(), MAX_HANDLE),
    senderTwitterHandle: checkShownText(
      'senderTwitterHandle',
      submitted.senderTwitterHandle?.trim() ?? '',
      MAX_HANDLE,
    ),
    description: parseLongText('description', submitted.description, MAX_DESCRIPTION),
    ...parseMetadata(submitted),
  };
}

function parseMetadata({
  tokenId,
  tokenMetadata,
}: SubmittedTexts): Pick<VerificationSubmission, 'details' | 'notes'> {
  if (tokenMetadata === undefined) return { details: null, notes: {} };
  if (tokenMetadata.tokenId !== tokenId) {
    throw new RequestRefused(
      'tokenMetadata.tokenId must be the tokenId of the request: one request is about one token',
    );
  }
  const textIn = (name: string) => {
    const value = tokenMetadata[name];
    return typeof value === 'string' ? value : null;
  };
  const countsSupply = tokenMetadata.useCirculatingSupply !== false;
  const submitted: SubmittedDetails = {
    icon: textIn('icon'),
    name: textIn('name'),
    symbol: textIn('symbol'),
    website: textIn('website'),
    telegram: textIn('telegram'),
    twitter: textIn('twitter'),
    discord: textIn('discord'),
    instagram: textIn('instagram'),
    tiktok: textIn('tiktok'),
    otherUrl: textIn('otherUrl'),
    circulatingSupply: countsSupply ? textIn('circulatingSupply') : null,
  };
  const notes: Record<string, string> = {};
  for (const [name, toggle] of Object.entries(NOTES)) {
    const text = toggle !== null && tokenMetadata[toggle] === false ? '' : (textIn(name)?.trim() ?? '');
    if (text !== '') notes[name] = parseLongText(`tokenMetadata.${name}`, text, MAX_NOTE);
  }
  return { details: parseDetails(submitted), notes };
}

/** A longer text, which may have several lines. */
function parseLongText(name: string, text: string, maxLength: number): string {
  const lines = text.trim().split(/\r?\n/);
  if (text.length > maxLength)
    throw new RequestRefused(`${name} must have at most ${maxLength} characters, got ${text.length}`);
  return lines.map((line) => checkShownText(name, line.replaceAll('\t', ' '), maxLength)).join('\n');
}
