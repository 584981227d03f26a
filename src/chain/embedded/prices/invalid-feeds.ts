import type { Address } from '../../../solana/address.ts';
import { LayoutInvalid } from '../../../solana/codec/byte-reader.ts';
import { decodePriceFeed } from '../../../solana/programs/price-feed/feed.ts';
import { decodePriceWalk, derivePriceWalkAddress } from '../../../solana/programs/price-feed/walk.ts';
import type { Account } from '../../accounts.ts';
import type { KeptFeed } from '../ledger/network-prices.ts';

/** The most decimals of a price. Those of the Pyth network have ten at most. */
const MAX_DECIMALS = 18;

/**
 * Checks the accounts that the network keeps current itself, because it could not open another slot with one that it cannot
 * read.
 *
 * @param accountAt - Returns an account as it is to be.
 * @returns The reason why a price feed or its walk cannot be kept current, or null. Feeds that are missing are left out.
 */
export function findFeedsProblem(
  feeds: readonly KeptFeed[],
  accountAt: (address: Address) => Account | null | undefined,
): string | null {
  for (const { symbol, feed } of feeds) {
    const account = accountAt(feed);
    if (account == null) continue;
    const walk = accountAt(derivePriceWalkAddress(feed));
    try {
      const reason = invalidFeed(account.data);
      if (reason !== null) return `the price feed of ${symbol}, ${feed}, ${reason}`;
      if (walk != null) decodePriceWalk(walk.data);
    } catch (error) {
      if (error instanceof LayoutInvalid) return `${error.message}, in the price feed of ${symbol}, ${feed}`;
      throw error;
    }
  }
  return null;
}

function invalidFeed(data: Uint8Array): string | null {
  const { price, exponent } = decodePriceFeed(data);
  if (exponent > 0 || exponent < -MAX_DECIMALS) {
    return `has the exponent ${exponent}, which must be from -${MAX_DECIMALS} to 0`;
  }
  return price < 0n ? `has the price ${price}, which must not be negative` : null;
}
