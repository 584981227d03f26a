import { encodeTokenAccount, type TokenAccount } from '../solana/programs/token/account.ts';

const ORDINARY = {
  delegate: null,
  state: 'initialized',
  nativeReserve: null,
  delegatedAmount: 0n,
  closeAuthority: null,
  extensions: [],
} as const;

/** Encodes a token account that is ordinary in all that is not given: neither delegated, frozen nor native. */
export function ordinaryTokenAccount(
  account: Pick<TokenAccount, 'mint' | 'owner' | 'amount'> & Partial<TokenAccount>,
): Uint8Array {
  return encodeTokenAccount({ ...ORDINARY, ...account });
}
