import type { Account } from '../../chain/accounts.ts';

/**
 * Caches what is read from an account for as long as that account object lives. A changed account arrives as a new
 * object.
 */
export function cachePerAccount<T>(read: (account: Account) => T): (account: Account) => T {
  const known = new WeakMap<Account, { readonly value: T }>();
  return (account) => {
    const found = known.get(account);
    if (found !== undefined) return found.value;
    const value = read(account);
    known.set(account, { value });
    return value;
  };
}
