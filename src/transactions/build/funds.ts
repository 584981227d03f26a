import type { Address } from '../../solana/address.ts';
import { isTokenAccount, readTokenAccountAmount } from '../../solana/programs/token/account.ts';
import { type AccountStates, type Costs, sumCosts } from './costs.ts';

/** Tokens or lamports that the instructions take from a wallet. */
export interface WalletSpending {
  readonly wallet: Address;
  readonly amount: bigint;
  /** Where the tokens are; null if the instructions take the wallet's own lamports. */
  readonly tokenAccount: Address | null;
}

/** What a wallet has too little of. */
export type LackingFunds =
  /** The wallet holds less than the instructions take. */
  | { readonly kind: 'amount'; readonly spending: WalletSpending; readonly held: bigint }
  /** The fee payer needs `missing` more lamports for the costs and for what it spends. */
  | { readonly kind: 'lamports'; readonly payer: Address; readonly missing: bigint }
  /**
   * A wallet would be left with some lamports, but fewer than an account must hold. `missing` more lamports would be
   * enough.
   */
  | { readonly kind: 'rent-exemption'; readonly missing: bigint };

/**
 * Finds what the wallets have too little of.
 * @param lent - Lamports of rent that come back within the transaction, and are needed until then.
 * @returns null if the wallets have enough
 */
export function findLackingFunds(
  spends: readonly WalletSpending[],
  states: AccountStates,
  costs: Costs,
  lent: bigint,
): LackingFunds | null {
  for (const spending of spends) {
    const { wallet, tokenAccount, amount } = spending;
    const held =
      tokenAccount === null ? getWalletLamports(states, wallet) : getSpendableTokens(states, tokenAccount);
    if (held < amount) return { kind: 'amount', spending, held };
  }
  const left = computeLamportsLeft(spends, states, costs, lent);
  if (left < 0n) return { kind: 'lamports', payer: costs.payer, missing: -left };
  const { payer, rentPayer = payer, rentFee } = costs;
  if (rentPayer === payer) return null;
  const leftForRent = getWalletLamports(states, rentPayer) - spentLamports(spends, rentPayer) - rentFee;
  return leftForRent >= 0n ? null : { kind: 'lamports', payer: rentPayer, missing: -leftForRent };
}

/** @returns the lamports that the payer has left when everything is paid, before anything comes back; may be negative */
export function computeLamportsLeft(
  spends: readonly WalletSpending[],
  states: AccountStates,
  costs: Costs,
  lent: bigint,
): bigint {
  return getWalletLamports(states, costs.payer) - sumCosts(costs) - lent - spentLamports(spends, costs.payer);
}

function spentLamports(spends: readonly WalletSpending[], from: Address): bigint {
  return spends.reduce(
    (sum, { wallet, tokenAccount, amount }) =>
      tokenAccount === null && wallet === from ? sum + amount : sum,
    0n,
  );
}

function getWalletLamports(states: AccountStates, wallet: Address): bigint {
  return states.get(wallet)?.lamports ?? 0n;
}

function getSpendableTokens(states: AccountStates, address: Address): bigint {
  const account = states.get(address) ?? null;
  return account !== null && isTokenAccount(account.data) ? readTokenAccountAmount(account.data) : 0n;
}
