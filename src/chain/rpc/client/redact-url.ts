/** Shorter parts of a URL, such as `v2`, are no keys. */
const MIN_SECRET = 6;

/** Removes what a URL consists of from a text: its host, and each part of its path and its query that may be a key. */
export function redactUrl(text: string, url: URL): string {
  const { pathname, search, searchParams, username, password, origin, host, hostname } = url;
  const written = `${pathname}/${search}`.split(/[/?&=]/);
  const parts = [...written, ...searchParams.values(), username, password];
  const secrets = parts
    .flatMap((part) => [part, decodePart(part)])
    .filter((part) => part.length >= MIN_SECRET)
    .toSorted((one, other) => other.length - one.length);
  const named = [origin, host, hostname].reduce((left, part) => left.replaceAll(part, 'the RPC'), text);
  return secrets.reduce((left, secret) => left.replaceAll(secret, '…'), named);
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
