import type { Account } from '../../chain/accounts.ts';
import type { Address } from '../../solana/address.ts';
import { SYSTEM_PROGRAM } from '../../solana/program-addresses.ts';
import { isTokenAccount, readTokenAccountAmount } from '../../solana/programs/token/account.ts';

/** Lamports that a transaction costs in addition to what it transfers, and who pays them. */
export interface Costs {
  readonly payer: Address;
  readonly signatureFee: bigint;
  /** Tips included. */
  readonly prioritizationFee: bigint;
  /**
   * The priority fee as it is stated to clients. It can be a lamport less, because the public interface rounds down
   * and the network rounds up.
   */
  readonly statedPrioritizationFee: bigint;
  /** Rent that the payer does not get back: of accounts that stay open, or whose rent goes to another wallet. */
  readonly rentFee: bigint;
  /** Absent if it is the payer. */
  readonly rentPayer?: Address;
}

/** Returns all lamports that a transaction costs its payer in addition to what it transfers. */
export function sumCosts({ payer, signatureFee, prioritizationFee, rentFee, rentPayer }: Costs): bigint {
  const isOwnRent = rentPayer === undefined || rentPayer === payer;
  return signatureFee + prioritizationFee + (isOwnRent ? rentFee : 0n);
}

/** Accounts by address, as they are before the transaction; null for an address that holds nothing. */
export type AccountStates = ReadonlyMap<Address, Account | null>;

/** An account that an instruction creates unless it exists. */
export interface CreatedAccount {
  readonly account: Address;
  /** Computes the rent in lamports. Called only if the account does not exist. */
  readonly rent: () => bigint;
  /** Whether the one that pays the rent gets it back within the transaction. */
  readonly isReturned: boolean;
  /** Who pays the rent; absent if the fee payer does. */
  readonly paidBy?: Address;
}

/** The rents of the accounts that a transaction may create. */
export interface Rents {
  /** Accounts that the transaction creates. */
  readonly missing: ReadonlySet<Address>;
  /** Accounts that exist already. */
  readonly existing: ReadonlySet<Address>;
  /** Lamports that do not come back to the one that pays them. */
  readonly spent: bigint;
  /** The wallet that spends them; null if it is the fee payer. */
  readonly paidBy: Address | null;
  /** Lamports that come back to the fee payer within the transaction. */
  readonly lent: bigint;
}

/**
 * Whether a program has created an account at the address. Anybody can send lamports to any address; that alone does
 * not create an account.
 */
function isCreated(account: Account | null | undefined): boolean {
  return account != null && account.owner !== SYSTEM_PROGRAM;
}

/**
 * Computes the rents of the accounts that do not exist. The whole rent counts even if there are lamports at the address,
 * since they may be gone when the transaction lands. One wallet pays for all accounts that stay.
 */
export function computeRents(creations: readonly CreatedAccount[], states: AccountStates): Rents {
  const missing = new Set<Address>();
  const existing = new Set<Address>();
  let [spent, lent] = [0n, 0n];
  let payer: Address | null = null;
  for (const { account, rent, isReturned, paidBy = null } of creations) {
    if (missing.has(account)) continue;
    if (isCreated(states.get(account))) {
      existing.add(account);
      continue;
    }
    missing.add(account);
    if (isReturned) lent += rent();
    else {
      spent += rent();
      payer = paidBy;
    }
  }
  return { missing, existing, spent, lent, paidBy: payer };
}

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

/** Describes what the wallets have too little of, as a sentence for the client. */
export function describeLackingFunds(lack: LackingFunds): string {
  switch (lack.kind) {
    case 'amount': {
      const unit = lack.spending.tokenAccount === null ? 'lamports' : 'base units';
      return `Insufficient funds: it takes ${lack.spending.amount} ${unit}, and ${lack.spending.wallet} has ${lack.held}`;
    }
    case 'lamports':
      return `Insufficient SOL: ${lack.payer} needs ${lack.missing} lamports more for the amount, the fees and rent`;
    case 'rent-exemption':
      return `A wallet would be left with fewer lamports than an account must hold; ${lack.missing} lamports more would be enough`;
  }
}

/** Returns the lamports that the payer has left when everything is paid, before anything comes back; may be negative. */
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
