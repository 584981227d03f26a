import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { isTokenAccount, readTokenAccountAmount } from '../../solana/programs/token/account.ts';
import { MIN_WALLET_LAMPORTS } from '../../solana/rent.ts';
import type { Address } from '../../solana/address.ts';
import type { Unbuildable } from '../../swaps/engines/engine.ts';
import type { FillAccountsRead } from './jupiterz-transaction.ts';

/** Values of `errorCode` of the makers' router. */
const BALANCE_TOO_SMALL = 1;
const TOKEN_ACCOUNT_MISSING = 2;

const MESSAGE = 'Insufficient funds';

/** What a fill takes from its taker. */
export interface TakenByFill {
  readonly taker: Address;
  readonly inputMint: Address;
  /** Whether the taker is left with SOL by the swap. */
  readonly getsSol: boolean;
  /** The taker's token account of the input mint. SOL is taken from the wallet itself. */
  readonly inputAccount: Address;
  readonly amount: bigint;
  /** Lamports of rent that the taker pays. */
  readonly rent: bigint;
}

/** Returns what the taker lacks for a fill; null if it has enough. */
export function findTakerLack(
  taken: TakenByFill,
  accounts: FillAccountsRead,
): Unbuildable['unbuildable'] | null {
  const { taker, inputMint, inputAccount, amount } = taken;
  if (inputMint === WRAPPED_SOL_MINT) return findLamportLack(taken, accounts);
  const account = accounts.get(inputAccount) ?? null;
  if (account === null || !isTokenAccount(account.data)) {
    const details = `the swap takes ${amount} atoms of ${inputMint}, and ${taker} has no token account ${inputAccount}`;
    return { code: TOKEN_ACCOUNT_MISSING, message: MESSAGE, details };
  }
  const held = readTokenAccountAmount(account.data);
  if (held >= amount) return findLamportLack(taken, accounts);
  return createBalanceTooSmall(`the swap takes ${amount} atoms of ${inputMint}, ${taker} has ${held}`);
}

function findLamportLack(
  { taker, inputMint, getsSol, amount, rent }: TakenByFill,
  accounts: FillAccountsRead,
): Unbuildable['unbuildable'] | null {
  const held = accounts.get(taker)?.lamports ?? 0n;
  const needed = rent + (inputMint === WRAPPED_SOL_MINT ? amount : 0n);
  if (held < needed) {
    const part = rent === 0n ? '' : `, ${rent} of them as rent`;
    return createBalanceTooSmall(`the swap takes ${needed} lamports${part}, ${taker} has ${held}`);
  }
  const left = held - needed;
  if (needed === 0n || getsSol || left === 0n || left >= MIN_WALLET_LAMPORTS) return null;
  return createBalanceTooSmall(
    `${taker} would be left with ${left} lamports, but must have none or ${MIN_WALLET_LAMPORTS}`,
  );
}

function createBalanceTooSmall(details: string): Unbuildable['unbuildable'] {
  return { code: BALANCE_TOO_SMALL, message: MESSAGE, details };
}
