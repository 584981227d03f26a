import type { Address } from '../../../solana/address.ts';
import { NATIVE_LOADER, SYSVAR_OWNER } from '../../../solana/program-addresses.ts';
import type { Account } from '../../accounts.ts';
import type { AccountEntry } from '../records/account-codec.ts';
import { listStartAccounts, createSvm, isLoadable, writeAccounts } from './svm.ts';

/**
 * Writes the accounts of an untrusted state into a separate LiteSVM, so that an invalid state is refused before it touches
 * the network.
 *
 * Returns the reason why the network cannot have these accounts, or null when it can.
 */
export function findAccountsProblem(accounts: readonly AccountEntry[]): string | null {
  const svm = createSvm();
  const start = new Map(listStartAccounts(svm).map(({ address, account }) => [address, account]));
  const target = new Map<Address, Account | null>(start);
  for (const [address, account] of accounts) {
    const before = start.get(address);
    if (before?.owner === NATIVE_LOADER && account?.owner !== NATIVE_LOADER) {
      return `it replaces the native program ${address}`;
    }
    // Sysvars are not restored, but written by the runtime.
    if (before?.owner === SYSVAR_OWNER && account?.owner !== SYSVAR_OWNER) {
      return `it replaces the sysvar ${address}`;
    }
    if (account?.lamports === 0n) return `account ${address} has no lamports`;
    target.set(address, account);
  }
  const written: { readonly address: Address; readonly account: Account }[] = [];
  for (const [address] of accounts) {
    const account = target.get(address) ?? null;
    if (account === null || account.owner === SYSVAR_OWNER || account.owner === NATIVE_LOADER) continue;
    if (account.executable && !isLoadable(account, (wanted) => target.get(wanted) ?? null)) {
      return `the code of program ${address} cannot be loaded`;
    }
    written.push({ address, account });
  }
  try {
    writeAccounts(svm, written);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return null;
}
