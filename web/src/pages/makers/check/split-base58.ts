/** As long as an address or a signature. */
const LONG_BASE58 = /([1-9A-HJ-NP-Za-km-z]{32,88})/;

/** Splits a text into words of base58 that may be addresses or signatures, and what stands between them. */
export function splitBase58(text: string): readonly string[] {
  return text.split(LONG_BASE58).filter((piece) => piece !== '');
}
