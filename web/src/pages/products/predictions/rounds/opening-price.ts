/**
 * Finds the price that a round has to beat. The interface says it in the rules of the round alone, in words.
 *
 * @returns null if the rules are written in another way
 */
export function findOpeningPrice(rules: readonly string[]): string | null {
  for (const rule of rules) {
    const [, price] = /\bopening price of ([\d,]{1,30}(?:\.\d{1,12})?) USD\b/.exec(rule) ?? [];
    if (price !== undefined) return `$${price.replaceAll(',', '\u202f')}`;
  }
  return null;
}
