/** What every key and token ends with. */
const SECRET = /[0-9a-f]{64}/gi;
const SECRET_LENGTH = 64;

/** The path of a URL as it may be kept: without the query, and without a key that somebody put into it. */
export function shownPath(url: string): string {
  const query = url.indexOf('?');
  const path = query < 0 ? url : url.slice(0, query);
  return path.length < SECRET_LENGTH ? path : path.replace(SECRET, '[redacted]');
}
