const SHOWN_LETTERS = 4;

/** Shortens an address or a signature to its ends. */
export function shortenAddress(address: string): string {
  if (address.length <= 2 * SHOWN_LETTERS + 3) return address;
  return `${address.slice(0, SHOWN_LETTERS)}…${address.slice(-SHOWN_LETTERS)}`;
}
