import type { Account } from '../../chain/chain.ts';

/** Remembers what was read of an account for as long as that account is held: a change comes as another object. */
export function oncePerAccount<T>(read: (account: Account) => T): (account: Account) => T {
  const known = new WeakMap<Account, { readonly value: T }>();
  return (account) => {
    const found = known.get(account);
    if (found !== undefined) return found.value;
    const value = read(account);
    known.set(account, { value });
    return value;
  };
}
