import type { Protocol } from '../../protocol/protocol.ts';
import { addPriceFeeds } from '../../protocol/genesis/price-feeds.ts';
import { PRICE_FEED_PROGRAM } from '../../solana/programs/price-feed/feed.ts';
import { PRICE_FEED_ACCOUNTS } from './feed-account-types.ts';

/** The price feeds that the embedded network writes itself. Their codec is in `src/solana`, because the chain writes them. */
export const priceFeedProtocol: Protocol = {
  name: 'price-feed',
  programs: [{ name: 'price-feed', address: PRICE_FEED_PROGRAM, loadsAfterAggregator: true }],
  genesis: { addLastAccounts: addPriceFeeds },
  instructions: [
    {
      program: PRICE_FEED_PROGRAM,
      label: 'Price feeds',
      instructions: [
        { name: 'write_prices', accounts: 'authority' },
        { name: 'write_walk', accounts: 'authority feed walk system_program' },
      ],
    },
  ],
  accounts: [PRICE_FEED_ACCOUNTS],
};
