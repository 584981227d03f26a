import { callAdminOperation } from '../../../api/admin-operations.ts';
import { callRpc } from '../../../api/network.ts';
import { SOL_MINT } from '../../../base/mints.ts';

/** What is given to whom. */
export interface Gift {
  readonly wallet: string;
  readonly mint: string;
  /** In smallest units. */
  readonly amount: bigint;
  /** In units, for the list of what was done. */
  readonly text: string;
}

/** What became of a gift: a transaction for tokens, an account that was written for SOL. */
export interface GivenGift {
  readonly account: string;
  /** Null for SOL. */
  readonly signature: string | null;
}

/** A token that the faucet gives, by the name that a reader types. */
export interface GiftToken {
  readonly mint: string;
  readonly symbol: string;
  readonly decimals: number;
}

/** SOL itself, which is in the account of the wallet and has no mint. */
export const NATIVE_SOL: GiftToken = { mint: '', symbol: 'SOL', decimals: 9 };
const WRAPPED_SOL: GiftToken = { mint: SOL_MINT, symbol: 'wSOL', decimals: 9 };
const SYSTEM_PROGRAM = '11111111111111111111111111111111';

/** Gives tokens by the faucet, and SOL by writing the wallet's account. @throws Error with a sentence for the reader */
export async function giveTokens({ wallet, mint, amount }: Gift): Promise<GivenGift> {
  if (mint === NATIVE_SOL.mint) return giveSol(wallet, amount);
  return callAdminOperation('POST /admin/v1/network/faucet', {
    body: { wallet, mint, amount: amount.toString() },
  });
}

/** Finds a token by its symbol, or by its address. SOL is the native one; `wSOL` is wrapped. */
export function findGiftToken(text: string, found: readonly GiftToken[]): GiftToken | null {
  const name = text.toLowerCase();
  if (name === 'sol') return NATIVE_SOL;
  if (name === 'wsol' || text === SOL_MINT) return WRAPPED_SOL;
  return (
    found.find(({ mint }) => mint === text) ??
    found.find(({ symbol }) => symbol.toLowerCase() === name) ??
    null
  );
}

async function giveSol(wallet: string, amount: bigint): Promise<GivenGift> {
  const { value } = await callRpc<{
    readonly value: { readonly lamports: number; readonly owner: string; readonly data: unknown } | null;
  }>('getAccountInfo', [wallet, { encoding: 'base64', commitment: 'processed' }]);
  const isWallet = value === null || (value.owner === SYSTEM_PROGRAM && isEmptyData(value.data));
  if (!isWallet) throw new Error('This account belongs to a program: SOL is given to wallets only.');
  const before = value?.lamports ?? 0;
  if (!Number.isSafeInteger(before))
    throw new Error('The wallet has more SOL than this page counts exactly.');
  const lamports = (BigInt(before) + amount).toString();
  await callAdminOperation('POST /admin/v1/network/accounts', {
    body: { accounts: [{ address: wallet, account: { lamports, owner: SYSTEM_PROGRAM, data: '' } }] },
  });
  return { account: wallet, signature: null };
}

function isEmptyData(data: unknown): boolean {
  return Array.isArray(data) && data[0] === '';
}
