import type { LandedTransaction } from '../../../chain/landed-transactions.ts';
import type { Address } from '../../../solana/address.ts';
import type { FillTerms } from '../../../swaps/fill-terms.ts';
import type { FillSpending } from '../../../swaps/orders/stored-order.ts';

/**
 * Whether a fill failed on chain because of its maker: the maker no longer held what it had signed for, or no longer had
 * one of the two token accounts that the fill uses.
 * @param spends - What the swap takes from the taker; undefined for an order that was stored without it.
 * @param makerLamports - Lamports that the maker's wallet has to hold; default 0, for a fill that the taker pays for.
 */
export function isBrokenByMaker(
  { maker, from, to, most }: FillTerms,
  spends: FillSpending | undefined,
  landed: LandedTransaction,
  makerLamports = 0n,
): boolean {
  if (from === undefined || landed.error === null) return false;
  const { accounts, preBalances, preTokenBalances } = landed;
  const heldIn = (account: Address) => preTokenBalances.find((each) => each.account === account);
  const tokensOf = (account: Address): bigint => heldIn(account)?.amount ?? 0n;
  const receives = to === undefined || heldIn(to)?.owner === maker;
  const lamportsOf = (account: Address) => preBalances[accounts.indexOf(account)] ?? 0n;
  const affords = lamportsOf(maker) >= makerLamports;
  if (receives && affords && heldIn(from)?.owner === maker && tokensOf(from) >= most) return false;
  if (spends === undefined) return true;
  const had = spends.isNative ? lamportsOf(spends.account) : tokensOf(spends.account);
  return had >= spends.amount;
}

/**
 * Returns atoms that the maker's paying account lacked when the fill failed; 0 if that is not the reason why the maker
 * broke the fill, or not the only one.
 */
export function computeShortfall(
  { maker, from, to, most }: FillTerms,
  { preTokenBalances }: LandedTransaction,
): bigint {
  if (from === undefined) return 0n;
  const ownedIn = (account: Address) =>
    preTokenBalances.find((each) => each.account === account && each.owner === maker);
  const paying = ownedIn(from);
  if (paying === undefined || (to !== undefined && ownedIn(to) === undefined)) return 0n;
  return paying.amount < most ? most - paying.amount : 0n;
}
