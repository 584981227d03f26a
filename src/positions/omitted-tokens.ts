import type { Unreadable, WalletReader } from './fetcher.ts';

/**
 * Tells that token accounts of a wallet were left out, for the report of a fetcher that finds positions by the wallet's tokens:
 * some of its positions may be among them.
 */
export async function omittedTokens(wallet: WalletReader): Promise<readonly Unreadable[]> {
  const omitted = await wallet.omittedTokens();
  if (omitted === 0) return [];
  const reason = `it has so many token accounts that ${omitted} of them were not read`;
  return [{ address: wallet.owner, reason }];
}
