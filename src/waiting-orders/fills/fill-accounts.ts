import type { Account } from '../../chain/accounts.ts';
import type { Address } from '../../solana/address.ts';
import { LayoutInvalid } from '../../solana/codec/byte-reader.ts';
import { isTokenProgram } from '../../solana/program-addresses.ts';
import { decodeTokenAccount, type TokenAccount } from '../../solana/programs/token/account.ts';
import type { OrderSale } from '../order-sale.ts';
import { FillPutOff } from './fill-plan.ts';

/** What lies in an order's account. */
export interface HeldInput {
  /** Atoms of the input. Strangers may have sent some. */
  readonly amount: bigint;
  /** Those of them that are lamports in an account of wrapped SOL and no tokens yet. */
  readonly unsynced: bigint;
  /** Lamports that whoever the account is closed to gets beside the input. */
  readonly rent: bigint;
}

/**
 * Reads what lies in an order's account.
 * @throws FillPutOff when the input cannot be sold as it lies there
 */
export function readHeldInput(
  { account: address, vault, inputMint }: OrderSale,
  account: Account | null,
  tokenProgram: Address,
): HeldInput {
  const name = `the order's account ${address}`;
  if (account === null || account.owner !== tokenProgram) {
    throw new FillPutOff('refused', `${name} does not exist`);
  }
  const held = decodeHeld(name, account);
  if (held.owner !== vault)
    throw new FillPutOff('refused', `${name} belongs to ${held.owner}, not to ${vault}`);
  if (held.mint !== inputMint)
    throw new FillPutOff('refused', `${name} holds ${held.mint}, not ${inputMint}`);
  if (held.state === 'frozen') throw new FillPutOff('refused', `${name} is frozen`);
  if (held.amount === 0n) throw new FillPutOff('refused', `${name} is empty`);
  const { amount, nativeReserve } = held;
  if (nativeReserve === null) return { amount, unsynced: 0n, rent: account.lamports };
  const unsynced = account.lamports - nativeReserve - amount;
  return { amount: amount + unsynced, unsynced, rent: nativeReserve };
}

/**
 * Checks that the account of the vault that is paid into can take the output.
 * @throws FillPutOff when it does not exist, is another's, holds another token, is frozen, or is sold from
 */
export function checkVaultOutput(
  { vault, outputMint, account: source }: OrderSale,
  address: Address,
  account: Account | null,
): void {
  const name = `the order's account ${address} for ${outputMint}`;
  if (address === source) throw new FillPutOff('refused', `${name} is the one that is sold from`);
  if (account === null || !isTokenProgram(account.owner)) {
    throw new FillPutOff('refused', `${name} does not exist`);
  }
  const { owner, mint, state } = decodeHeld(name, account);
  if (owner !== vault) throw new FillPutOff('refused', `${name} belongs to ${owner}, not to ${vault}`);
  if (mint !== outputMint) throw new FillPutOff('refused', `${name} holds ${mint}`);
  if (state === 'frozen') throw new FillPutOff('refused', `${name} is frozen`);
}

/**
 * Checks that a wallet's associated token account can take the output.
 * @param account - The account at the associated address; null if there is none.
 * @returns whether it exists
 * @throws FillPutOff when it is another's, or frozen
 */
export function checkOutputAccount(
  { wallet, outputMint }: OrderSale,
  address: Address,
  account: Account | null,
): boolean {
  // Anybody can send lamports to any address. Only what a token program owns is a token account.
  if (account === null || !isTokenProgram(account.owner)) return false;
  const name = `the account ${address} of ${wallet} for ${outputMint}`;
  const { owner, mint, state } = decodeHeld(name, account);
  if (owner !== wallet) throw new FillPutOff('refused', `${name} belongs to ${owner} now`);
  if (mint !== outputMint) throw new FillPutOff('refused', `${name} holds ${mint}`);
  if (state === 'frozen') throw new FillPutOff('refused', `${name} is frozen`);
  return true;
}

/**
 * Checks that the wallet of an order can be paid.
 * @param account - The wallet's own account; null if it holds no lamports.
 * @throws FillPutOff when it is a token account, a program, or a party to the fill
 */
export function checkPaidWallet(
  { wallet, vault }: OrderSale,
  gasWallet: Address,
  account: Account | null,
): void {
  if (wallet === vault) throw new FillPutOff('refused', `the wallet ${wallet} is its own vault`);
  if (wallet === gasWallet) {
    throw new FillPutOff('refused', `the wallet ${wallet} is the one that pays for fills`);
  }
  if (account === null) return;
  if (isTokenProgram(account.owner)) {
    throw new FillPutOff(
      'refused',
      `the wallet ${wallet} is an account of the token program ${account.owner}`,
    );
  }
  if (account.executable) throw new FillPutOff('refused', `the wallet ${wallet} is a program`);
}

function decodeHeld(name: string, { data }: Account): TokenAccount {
  try {
    return decodeTokenAccount(data);
  } catch (error) {
    if (!(error instanceof LayoutInvalid)) throw error;
    throw new FillPutOff('refused', `${name} is no token account: ${error.message}`);
  }
}
