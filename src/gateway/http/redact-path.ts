/** What every key and token ends with. */
const SECRET = /[0-9a-f]{64}/gi;
const SECRET_LENGTH = 64;
const UNPRINTABLE = /[^!-~]/g;

/**
 * The path of a URL as it may be kept and shown: without the query, without a key that somebody put into it, and without
 * bytes that a terminal takes for commands, in whose place their numbers are.
 */
export function redactPath(url: string): string {
  const query = url.indexOf('?');
  const path = query < 0 ? url : url.slice(0, query);
  const open = path.length < SECRET_LENGTH ? path : path.replace(SECRET, '[redacted]');
  return open.replace(UNPRINTABLE, percentEncoded);
}

/** Of a byte as it was sent, which Node gives as the character of its number. */
function percentEncoded(character: string): string {
  const bytes = Buffer.from(character, character <= '\xff' ? 'latin1' : 'utf8').toString('hex');
  return bytes.toUpperCase().replace(/../g, '%$&');
}
