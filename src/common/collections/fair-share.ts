/**
 * Whether a party that holds `held` units of a bounded resource may take `amount` more, of which `free` are left.
 *
 * The first units are always granted while they last. Beyond them a party may hold at most `factor` times what it
 * leaves free for all others. A party that is alone therefore gets `factor / (1 + factor)` of everything, `n` greedy
 * parties get equal parts, and something stays free for the next one. Nobody has to be interrupted for that, and the
 * parties need not be known beforehand.
 *
 * @param factor more than 0; the larger it is, the more one party may hold, and the less stays free
 */
export function isWithinFairShare(held: number, amount: number, free: number, factor: number): boolean {
  if (amount > free) return false;
  return held === 0 || held + amount <= factor * (free - amount);
}
