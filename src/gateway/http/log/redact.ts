import { LOGGED_LENGTHS, REDACTED } from '../../../platform/traffic/log/request-entry.ts';

/** The secret part of every key and token. */
const SECRET = /[0-9a-f]{64}/gi;
const SECRET_LENGTH = 64;
const UNPRINTABLE = /[^!-~]/g;
/** Matches a secret key of Solana in base58. A signature has the same length and is redacted, too. */
const KEYPAIR = /[1-9A-HJ-NP-Za-km-z]{80,}/g;
const JWT = /eyJ[\w-]+\.[\w-]+(\.[\w-]*)?/g;
/** Matches names of parameters whose values are secrets, in lower case and reduced to letters. */
const SECRET_NAME =
  /^(key|x?apikey|(access|api|auth|bearer|id|refresh|session|user)?token|\w*secret\w*|\w*password|passphrase|auth(orization)?|bearer|jwt|\w*privatekey|mnemonic|seed(phrase)?|credentials?)$/;
/** How much of a query is read, so that a secret that begins in the kept part is read to its end. */
const MAX_QUERY_READ = 1_024;
/** Matches what may be the beginning of a secret that was not read to its end. */
const CUT_OFF = /(?<![\w.%-])[\w.%-]+$/;
/** A percent-encoded character that secrets consist of, or a percent sign, which may encode one in turn. */
const ENCODED = /%(2[5de]|3\d|[46][1-9a-f]|5[0-9af]|7[0-9ae])/gi;
/** A secret that is encoded more often than this is none to any server on the way. */
const MAX_ENCODINGS = 3;
const UNPRINTABLE_TEXT = /[^ -~]/g;

/**
 * Returns the path of a URL as it may be stored and shown: without the query, with keys and tokens redacted, and with
 * bytes outside printable ASCII percent-encoded, because a terminal could take them for commands.
 *
 * @example
 * ```ts
 * import { redactPath } from './redact.ts';
 *
 * redactPath('/openapi.json?key=secret'); // '/openapi.json'
 * ```
 */
export function redactPath(url: string): string {
  const query = url.indexOf('?');
  const path = query < 0 ? url : url.slice(0, query);
  const open =
    path.length < SECRET_LENGTH
      ? path
      : redactDecoded(path, (text) => text.replace(SECRET, REDACTED).replace(JWT, REDACTED));
  return open.replace(UNPRINTABLE, percentEncode);
}

/**
 * Returns the query of a URL as it may be stored and shown: at most 512 characters, without the values of parameters that
 * are named like secrets, and without keys, tokens and key pairs wherever they stand.
 *
 * @example
 * ```ts
 * import { redactQuery } from './redact.ts';
 *
 * redactQuery('/swap/v2/order?amount=5&api-key=secret'); // 'amount=5&api-key=[redacted]'
 * redactQuery('/swap/v2/order'); // ''
 * ```
 */
export function redactQuery(url: string): string {
  const mark = url.indexOf('?');
  if (mark < 0 || mark + 1 === url.length) return '';
  const query = url.slice(mark + 1, mark + 1 + MAX_QUERY_READ);
  let open = '';
  for (let begin = 0; begin <= query.length; ) {
    const found = query.indexOf('&', begin);
    const end = found < 0 ? query.length : found;
    open += redactParameter(query.slice(begin, end)) + (found < 0 ? '' : '&');
    begin = end + 1;
  }
  if (mark + 1 + MAX_QUERY_READ < url.length && open.length < query.length) open = redactCutOff(open);
  return open.replace(UNPRINTABLE, percentEncode).slice(0, LOGGED_LENGTHS.query);
}

/**
 * Returns a header such as `user-agent` as it may be stored and shown: printable, without keys, and of a bounded length.
 * @param value - Undefined: the request has no such header.
 */
export function redactText(value: string | undefined, maxLength: number): string {
  if (value === undefined) return '';
  const isCutOff = value.length > MAX_QUERY_READ;
  const read = isCutOff ? value.slice(0, MAX_QUERY_READ) : value;
  const redacted = read.length < SECRET_LENGTH ? read : redactSecrets(read);
  const open = isCutOff && redacted.length < read.length ? redactCutOff(redacted) : redacted;
  return open.replace(UNPRINTABLE_TEXT, percentEncode).slice(0, maxLength);
}

function redactParameter(parameter: string): string {
  const mark = parameter.indexOf('=');
  const name = mark < 0 ? parameter : parameter.slice(0, mark);
  if (mark >= 0 && SECRET_NAME.test(toNameLetters(name))) return `${name}=${REDACTED}`;
  const mayHaveSecret = parameter.length >= SECRET_LENGTH || /eyJ|%/.test(parameter);
  return mayHaveSecret ? redactSecrets(parameter) : parameter;
}

/** Redaction shortens a text, so the end of what was read may be among the characters that are kept. */
function redactCutOff(text: string): string {
  return text.replace(CUT_OFF, REDACTED);
}

function redactSecrets(text: string): string {
  return redactDecoded(text, (decoded) =>
    decoded.replace(SECRET, REDACTED).replace(KEYPAIR, REDACTED).replace(JWT, REDACTED),
  );
}

/** Redacts a text in which characters of a secret may be percent-encoded. Without a secret, the text stays as it was sent. */
function redactDecoded(text: string, redact: (decoded: string) => string): string {
  let decoded = text;
  for (let times = 0; times < MAX_ENCODINGS && decoded.includes('%'); times++) {
    decoded = decoded.replace(ENCODED, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
  const redacted = redact(decoded);
  return redacted === decoded ? text : redacted;
}

/** Returns the letters of a parameter's name, decoded, in lower case. */
function toNameLetters(name: string): string {
  let decoded = name;
  try {
    if (name.includes('%')) decoded = decodeURIComponent(name);
  } catch {
    // The encoding is invalid, so the name stands for itself.
  }
  return decoded.toLowerCase().replace(/[^a-z]/g, '');
}

/** Percent-encodes a character of a URL. Node represents each sent byte as the Latin-1 character of its value. */
function percentEncode(character: string): string {
  const bytes = Buffer.from(character, character <= '\xff' ? 'latin1' : 'utf8').toString('hex');
  return bytes.toUpperCase().replace(/../g, '%$&');
}
