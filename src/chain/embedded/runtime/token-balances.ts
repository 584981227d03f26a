import { type Address, toAddress } from '../../../solana/address.ts';
import { isTokenProgram } from '../../../solana/program-addresses.ts';
import { isTokenAccount, readTokenAccountAmount } from '../../../solana/programs/token/account.ts';
import { decodeMint, isMint } from '../../../solana/programs/token/mint.ts';
import type { Account } from '../../accounts.ts';
import type { TokenBalance } from '../../records/records.ts';

type AccountLookup = (address: Address) => Account | null;

const OWNER_AT = 32;

/** Keyed by a mint's data, which stays the same object until it changes. */
const decimalsOfData = new WeakMap<Uint8Array, number>();

/** Returns the balances of those `addresses` that are token accounts of an existing mint. */
export function listTokenBalances(addresses: readonly Address[], accountAt: AccountLookup): TokenBalance[] {
  const balances: TokenBalance[] = [];
  for (let accountIndex = 0; accountIndex < addresses.length; accountIndex++) {
    const address = addresses[accountIndex];
    const account = address === undefined ? null : accountAt(address);
    if (account === null || !isTokenProgram(account.owner) || !isTokenAccount(account.data)) continue;
    const mint = toAddress(account.data);
    const decimals = findMintDecimals(accountAt(mint));
    if (decimals === null) continue;
    balances.push({
      accountIndex,
      mint,
      owner: toAddress(account.data, OWNER_AT),
      tokenProgram: account.owner,
      amount: readTokenAccountAmount(account.data),
      decimals,
    });
  }
  return balances;
}

/** Returns null when the account is not a mint. */
function findMintDecimals(account: Account | null): number | null {
  if (account === null || !isTokenProgram(account.owner) || !isMint(account.data)) return null;
  const known = decimalsOfData.get(account.data);
  if (known !== undefined) return known;
  const { decimals } = decodeMint(account.data);
  decimalsOfData.set(account.data, decimals);
  return decimals;
}
