import type { Account } from '../../../chain/accounts.ts';
import type { Address } from '../../../solana/address.ts';
import { isTokenProgram } from '../../../solana/program-addresses.ts';
import { isTokenAccount, readTokenAccountAmount } from '../../../solana/programs/token/account.ts';
import type { FillSpending } from '../../../swaps/orders/stored-order.ts';

/** What a taker has promised for one swap with a maker, from when its execution begins until it ends. */
export interface TakerCommitment {
  readonly spending: FillSpending;
  /** The signature that identifies the transaction on chain; null if the maker signs first, so that it is not known yet. */
  readonly signature: string | null;
  /** Whether its maker has signed it. From then on, only the chain decides. */
  isSigned: boolean;
}

/**
 * The open swaps with makers, by the account that pays for them. All open swaps of an account together may take what it
 * holds, and no more. The limit is per account and not per wallet, because wallets cost nothing and funds do.
 */
export class TakerCommitments {
  readonly #accounts = new Map<Address, Set<TakerCommitment>>();

  /**
   * Counts the swap from now on.
   * Returns a function that stops counting it.
   */
  add(fill: TakerCommitment): () => void {
    const { account } = fill.spending;
    const fills = this.#accounts.get(account) ?? new Set<TakerCommitment>();
    this.#accounts.set(account, fills.add(fill));
    return () => {
      fills.delete(fill);
      if (fills.size === 0 && this.#accounts.get(account) === fills) this.#accounts.delete(account);
    };
  }

  /** Returns the swaps of the same account that were opened before this one, oldest first. */
  before(fill: TakerCommitment): readonly TakerCommitment[] {
    const fills = [...(this.#accounts.get(fill.spending.account) ?? [])];
    return fills.slice(0, Math.max(0, fills.indexOf(fill)));
  }
}

/**
 * Atoms that the account can pay.
 * @param account - Null or undefined if it does not exist.
 */
export function getPayableAtoms(
  { isNative }: Pick<FillSpending, 'isNative'>,
  account: Account | null | undefined,
): bigint {
  if (account == null) return 0n;
  return isNative ? account.lamports : getTokenBalance(account);
}

/** Atoms in a token account; 0 if it is not one. A closed token account may still receive lamports. */
export function getTokenBalance(account: Account | null | undefined): bigint {
  if (account == null || !isTokenProgram(account.owner) || !isTokenAccount(account.data)) return 0n;
  return readTokenAccountAmount(account.data);
}

/** Atoms that the swaps take together. */
export function sumSpending(fills: readonly TakerCommitment[]): bigint {
  return fills.reduce((sum, { spending }) => sum + spending.amount, 0n);
}
