import { requireBoundedDepth } from '../../common/bounded-json.ts';
import { formatForError } from '../../common/format-for-error.ts';

/** The fields of the metadata of a token, with the most characters that each may have. */
const FIELDS = {
  name: 100,
  symbol: 32,
  description: 10_000,
  image: 512,
  website: 512,
  twitter: 512,
  telegram: 512,
} as const;
const REQUIRED = ['name', 'symbol'] as const;
/** Where the image of a token may be. */
const IMAGE_PROTOCOLS = ['http:', 'https:', 'ipfs:', 'ar:'];
/** Where a page of a token may be. */
const PAGE_PROTOCOLS = ['http:', 'https:'];
/** A page of this address names a token by its link. A name such as `@token` is a link to another page there. */
const PAGE = 'https://page.invalid';

/** The metadata as they are stored, or what is wrong with them. */
export type ParsedMetadata =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly field: string; readonly message: string };

/**
 * Parses the metadata of a token, and writes them again: with the known fields alone, and without a character that could begin
 * a tag, so that no page and no reader sees more than texts.
 */
export function parseTokenMetadata(bytes: Uint8Array): ParsedMetadata {
  const value = parseObject(bytes);
  if (value === null) return refuse('', 'The metadata must be a JSON object in UTF-8');
  const fields = Object.entries(value).filter(([, field]) => field !== null && field !== undefined);
  for (const [name, field] of fields) {
    const fault = findFault(name, field);
    if (fault !== null) return refuse(name, fault);
  }
  const missing = REQUIRED.find((name) => typeof value[name] !== 'string' || value[name].trim() === '');
  if (missing !== undefined) return refuse(missing, `${missing} must be given`);
  const text = JSON.stringify(Object.fromEntries(fields));
  return { ok: true, bytes: Buffer.from(text.replaceAll('<', '\\u003c').replaceAll('>', '\\u003e')) };
}

function parseObject(bytes: Uint8Array): Readonly<Record<string, unknown>> | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    requireBoundedDepth(text);
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** Returns what is wrong with a field; null if nothing is. */
function findFault(name: string, field: unknown): string | null {
  const most = Object.hasOwn(FIELDS, name) ? FIELDS[name as keyof typeof FIELDS] : null;
  if (most === null)
    return `${formatForError(name)} is no field of the metadata; the fields are ${Object.keys(FIELDS).join(', ')}`;
  if (typeof field !== 'string') return `${name} must be a text, got ${formatForError(field)}`;
  if (field.length > most) return `${name} must have at most ${most} characters, got ${field.length}`;
  if (name === 'image' && field !== '' && !hasProtocol(field, IMAGE_PROTOCOLS))
    return `image must be an http, https, ipfs or ar URL, got ${formatForError(field)}`;
  const isLink = name === 'website' || name === 'twitter' || name === 'telegram';
  // As a browser reads it, which ignores line breaks and tabs in a link, and spaces and control characters before it.
  if (isLink && !hasProtocol(field, PAGE_PROTOCOLS, PAGE))
    return `${name} must be an http or https URL, or a name, got ${formatForError(field)}`;
  return null;
}

function hasProtocol(text: string, protocols: readonly string[], base?: string): boolean {
  return URL.canParse(text, base) && protocols.includes(new URL(text, base).protocol);
}

function refuse(field: string, message: string): ParsedMetadata {
  return { ok: false, field, message };
}
