/**
 * Whether a party that holds `held` units of a bounded resource may take `amount` more, of which `free` are left.
 *
 * A party that holds nothing gets its first units while there are any. After that it may hold at most `factor` times
 * what it leaves free for all others. A single party therefore gets `factor / (1 + factor)` of the resource, `n` greedy
 * parties get equal parts, and something stays free for the next one. No party has to give anything back for that, and
 * the parties need not be known in advance.
 *
 * @param factor - More than 0. With a larger factor, one party may hold more, and less stays free.
 *
 * @example
 * ```ts
 * import { isWithinFairShare } from './fair-share.ts';
 *
 * isWithinFairShare(40, 1, 60, 1); // true: 41 held, 59 left
 * isWithinFairShare(50, 1, 50, 1); // false: 51 would be more than the 49 left
 * ```
 */
export function isWithinFairShare(held: number, amount: number, free: number, factor: number): boolean {
  if (amount > free) return false;
  return held === 0 || held + amount <= factor * (free - amount);
}
