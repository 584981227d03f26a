/**
 * Parses the query of an address. Values are texts, as in any other query: the router's own form would read an amount as a
 * number, and round it.
 */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

/** Writes the query of an address, with its question mark. Values that are undefined are left out. */
export function formatSearch(search: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(search).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}
