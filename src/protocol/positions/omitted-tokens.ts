import type { Unreadable, WalletReader } from './fetcher.ts';

/**
 * Returns an entry for the report of a fetcher when token accounts of the wallet were left out, because some of the
 * fetcher's positions may be among them.
 */
export async function reportOmittedTokens(wallet: WalletReader): Promise<readonly Unreadable[]> {
  const omitted = await wallet.omittedTokens();
  if (omitted === 0) return [];
  const reason = `it has so many token accounts that ${omitted} of them were not read`;
  return [{ address: wallet.owner, reason }];
}
