import type { LandedTransaction } from '../../../chain/landed-transactions.ts';
import type { Address } from '../../../solana/address.ts';
import { WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import { decodeFlow } from '../../../market-data/feed/flows.ts';
import type { TradedAmount } from '../../../market-data/trades/trade.ts';

/** Both sides of a swap, as the wallet's own balances show them. */
export interface WalletSwap {
  readonly paid: TradedAmount;
  readonly received: TradedAmount;
}

/**
 * Reads the swap that a wallet made in a transaction, from how its balances changed: however many pools a route went
 * through, one token was paid and another one was received. SOL and wrapped SOL are the same, rent of the wallet's own accounts
 * is no payment, and neither is the fee of the network. Tips are.
 *
 * @param programs - Those that swap.
 * @returns null if the wallet did not swap, or if it had no part in what moved: others can send it tokens, and an authority of
 *   a token can take them away, but only the wallet can sign for a payment
 */
export function findWalletSwap(
  transaction: LandedTransaction,
  wallet: Address,
  programs: ReadonlySet<Address>,
): WalletSwap | null {
  if (transaction.error !== null) return null;
  if (!transaction.accounts.some((account) => programs.has(account))) return null;
  if (!transaction.calls.some(({ call }) => decodeFlow(call)?.authority === wallet)) return null;
  const changes = computeTokenChanges(transaction, wallet);
  const paid = changes.filter(({ amount }) => amount < 0n);
  const received = changes.filter(({ amount }) => amount > 0n);
  const lamports = computeLamportsChange(transaction, wallet);
  // In a swap of two tokens, lamports pay for something else.
  if (paid.length === 0 && lamports < 0n) paid.push({ mint: WRAPPED_SOL_MINT, amount: lamports });
  else if (received.length === 0 && lamports > 0n)
    received.push({ mint: WRAPPED_SOL_MINT, amount: lamports });
  const [[out, ...moreOut], [into, ...moreInto]] = [paid, received];
  if (out === undefined || into === undefined || moreOut.length + moreInto.length > 0) return null;
  return { paid: { mint: out.mint, amount: -out.amount }, received: into };
}

/** How much the wallet has more of each token but wrapped SOL, over all its accounts. */
function computeTokenChanges(
  { preTokenBalances, postTokenBalances }: LandedTransaction,
  wallet: Address,
): TradedAmount[] {
  const changes = new Map<Address, bigint>();
  for (const [balances, sign] of [
    [preTokenBalances, -1n],
    [postTokenBalances, 1n],
  ] as const) {
    for (const { mint, owner, amount } of balances) {
      if (owner !== wallet || mint === WRAPPED_SOL_MINT) continue;
      changes.set(mint, (changes.get(mint) ?? 0n) + sign * amount);
    }
  }
  return [...changes].map(([mint, amount]) => ({ mint, amount }));
}

/** How many lamports more the wallet and its token accounts have together, the network's fee apart. */
function computeLamportsChange(transaction: LandedTransaction, wallet: Address): bigint {
  const { accounts, preBalances, postBalances, preTokenBalances, postTokenBalances, fee } = transaction;
  const own = new Set([wallet]);
  for (const { account, owner } of [...preTokenBalances, ...postTokenBalances]) {
    if (owner === wallet) own.add(account);
  }
  let change = accounts[0] === wallet ? fee : 0n;
  for (const [index, account] of accounts.entries()) {
    if (own.has(account)) change += (postBalances[index] ?? 0n) - (preBalances[index] ?? 0n);
  }
  return change;
}
