const SHORT = 4;

/** Returns the first and the last characters of an address. */
export function formatShortAddress(address: string): string {
  return `${address.slice(0, SHORT)}…${address.slice(-SHORT)}`;
}
