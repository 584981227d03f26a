import type { Account } from '../../../chain/accounts.ts';
import type { Address } from '../../../solana/address.ts';
import { LayoutInvalid } from '../../../solana/codec/byte-reader.ts';
import { isTokenProgram } from '../../../solana/program-addresses.ts';
import { decodeTokenAccount, type TokenAccount } from '../../../solana/programs/token/account.ts';
import { OrderPutOff } from './order-put-off.ts';

/** Who has to own a token account, and what it has to hold. */
export interface ExpectedAccount {
  readonly address: Address;
  readonly owner: Address;
  readonly mint: Address;
}

/**
 * Whether the token account of a maker exists, so that it can be paid.
 *
 * @param account - The account at the address; null if there is none. Anybody can send lamports to an address.
 * @throws OrderPutOff when it belongs to another, or is frozen
 */
export function isPayable(
  { address, owner, mint }: ExpectedAccount,
  account: Account | null | undefined,
): boolean {
  if (account === null || account === undefined || !isTokenProgram(account.owner)) return false;
  const name = `the account ${address} of ${owner}`;
  const found = decodePaid(name, account);
  if (found.owner !== owner) throw new OrderPutOff('refused', `${name} belongs to ${found.owner} now`);
  if (found.mint !== mint) throw new OrderPutOff('refused', `${name} holds ${found.mint}`);
  if (found.state === 'frozen') throw new OrderPutOff('refused', `${name} is frozen`);
  return true;
}

/** Returns the atoms in a token account; 0 if there is none. */
export function readHeldTokens(account: Account | null | undefined): bigint {
  if (account === null || account === undefined || !isTokenProgram(account.owner)) return 0n;
  return decodePaid('a token account', account).amount;
}

function decodePaid(name: string, { data }: Account): TokenAccount {
  try {
    return decodeTokenAccount(data);
  } catch (error) {
    if (!(error instanceof LayoutInvalid)) throw error;
    throw new OrderPutOff('refused', `${name} is no token account: ${error.message}`);
  }
}
