import type { LandedTransaction } from '../../src/chain/landed-transactions.ts';
import type { Address } from '../../src/solana/address.ts';
import { WRAPPED_SOL_MINT } from '../../src/solana/program-addresses.ts';

/** Returns by how many atoms a token account grew; what it held counts as taken out when it was closed. */
export function getTokenChange(
  { preTokenBalances, postTokenBalances }: LandedTransaction,
  account: Address,
): bigint {
  const amountIn = (balances: LandedTransaction['preTokenBalances']) =>
    balances.find((balance) => balance.account === account)?.amount ?? 0n;
  return amountIn(postTokenBalances) - amountIn(preTokenBalances);
}

/** Whom a fill should have paid. */
export interface PaidParty {
  readonly wallet: Address;
  /** The account that was sold from. */
  readonly account: Address;
  readonly outputMint: Address;
}

/**
 * Returns what a fill paid to the wallet, if it is what the store says; otherwise null. SOL arrives as lamports, with or without
 * the rent of the order's account.
 */
export function findOutput(
  landed: LandedTransaction,
  { wallet, account, outputMint }: PaidParty,
  said: bigint,
): bigint | null {
  if (outputMint !== WRAPPED_SOL_MINT) return sumOwned(landed, wallet, outputMint) === said ? said : null;
  const paid = getLamportChange(landed, wallet);
  const rent = -getLamportChange(landed, account);
  return paid === said || paid === said + rent ? said : null;
}

/** Returns what the payer of a transaction lost beyond its fee, in lamports. */
export function getPayerLoss(landed: LandedTransaction): bigint {
  const [payer] = landed.accounts;
  return payer === undefined ? 0n : -getLamportChange(landed, payer) - landed.fee;
}

/** Returns by how much the token accounts of a wallet grew together. */
function sumOwned(
  { preTokenBalances, postTokenBalances }: LandedTransaction,
  wallet: Address,
  of: Address,
): bigint {
  const sum = (balances: LandedTransaction['preTokenBalances']) =>
    balances
      .filter(({ owner, mint }) => owner === wallet && mint === of)
      .reduce((total, { amount }) => total + amount, 0n);
  return sum(postTokenBalances) - sum(preTokenBalances);
}

function getLamportChange({ accounts, preBalances, postBalances }: LandedTransaction, of: Address): bigint {
  const at = accounts.indexOf(of);
  return (postBalances[at] ?? 0n) - (preBalances[at] ?? 0n);
}
