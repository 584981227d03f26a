import type { Account, AddressField } from '../../chain/accounts.ts';
import type { Address } from '../../solana/address.ts';
import type { WalletMint, WalletReader, WalletToken } from './fetcher.ts';

/** Up to this number of tokens, their accounts are read together with the mints. Beyond, only those of mints that fit. */
export const MAX_READ_AT_ONCE = 64;

/** A token of the wallet, and the account whose address is derived from its mint. */
export interface MintAccount {
  readonly token: WalletToken;
  readonly mint: WalletMint;
  readonly address: Address;
  readonly account: Account | null;
}

/**
 * Reads the account that belongs to the mint of each token, such as a position. For few tokens, the accounts are read
 * together with the mints, which saves a round of reads.
 *
 * @param fits - Returns whether the mint may have such an account.
 * @param addressOf - Derives the account's address.
 */
export async function readMintAccounts(
  wallet: WalletReader,
  tokens: readonly WalletToken[],
  fits: (mint: WalletMint) => boolean,
  addressOf: (mint: Address) => Address,
): Promise<readonly MintAccount[]> {
  if (tokens.length <= MAX_READ_AT_ONCE) void wallet.accounts(tokens.map(({ mint }) => addressOf(mint)));
  const mints = await wallet.mints(tokens.map(({ mint }) => mint));
  const fitting = tokens.flatMap((token) => {
    const mint = mints.get(token.mint);
    return mint === undefined || !fits(mint) ? [] : [{ token, mint, address: addressOf(mint.address) }];
  });
  const accounts = await wallet.accounts(fitting.map(({ address }) => address));
  return fitting.map((each, index) => ({ ...each, account: accounts[index] ?? null }));
}

/**
 * Returns the mints by which to search for accounts. If the field is indexed and there are few tokens, these are all
 * mints, which saves a round of reads. Otherwise they are the mints that fit.
 *
 * @param lookup - The field in which the accounts hold the mint.
 */
export async function selectMintsToFind(
  wallet: WalletReader,
  tokens: readonly WalletToken[],
  lookup: {
    readonly program: Address;
    readonly field: AddressField;
  },
  fits: (mint: WalletMint) => boolean,
): Promise<readonly Address[]> {
  const all = [...new Set(tokens.map(({ mint }) => mint))];
  if (all.length <= MAX_READ_AT_ONCE && wallet.indexes(lookup.program, lookup.field)) return all;
  const mints = await wallet.mints(all);
  return all.filter((address) => {
    const mint = mints.get(address);
    return mint !== undefined && fits(mint);
  });
}
