import type { ProgramAccounts } from '../../protocol/accounts/program-accounts.ts';
import { decodePriceFeed, PRICE_FEED_PROGRAM } from '../../solana/programs/price-feed/feed.ts';
import { decodePriceWalk } from '../../solana/programs/price-feed/walk.ts';

/** The accounts of price feeds. */
export const PRICE_FEED_ACCOUNTS: ProgramAccounts = {
  program: PRICE_FEED_PROGRAM,
  types: [
    {
      name: 'Price feed',
      summary: 'The price of something in US dollars: the number times ten to the exponent.',
      read: decodePriceFeed,
      fields: { publishTime: 'time', previousPublishTime: 'time' },
    },
    {
      name: 'Random walk of a price',
      summary: 'How the embedded network moves the price of a feed at random.',
      read: decodePriceWalk,
      fields: { deviation: { outOf: 1_000_000 }, drift: { outOf: 1_000_000 }, startedAt: 'time' },
    },
  ],
};
