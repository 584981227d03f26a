import type { Chain } from '../chain/chain.ts';
import type { AccountUpdate } from '../chain/accounts.ts';
import { SYSTEM_TIMERS } from '../common/ports/timers.ts';
import type { PortalPools } from '../gateway/portal/pools/portal-pools.ts';
import { decodeMintFacts } from '../market/mint-facts.ts';
import { PoolViews } from '../market/pool-views/pool-views.ts';
import { GENESIS_FEEDS } from '../protocol/genesis/price-feeds.ts';
import { VENUES } from '../protocols/venues.ts';
import type { Address } from '../solana/address.ts';
import { findTokenByMint } from '../solana/known-tokens.ts';
import { LayoutInvalid } from '../solana/codec/byte-reader.ts';
import { decodePriceFeed } from '../solana/programs/price-feed/feed.ts';
import type { Tokens } from '../tokens/tokens.ts';
import type { Market } from './market/market.ts';
import type { OpenedNetwork } from './state/network.ts';
import type { StartContext } from './state/start-context.ts';

/** What pools are shown with. */
export interface ShownPools {
  readonly market: Pick<Market, 'chain' | 'pools' | 'prices'>;
  readonly network: Pick<OpenedNetwork, 'embedded'>;
  readonly tokens: Pick<Tokens, 'recall'>;
}

/** Opens what the pages of the portal read about pools, until the application is closed. */
export async function openPortalPools(
  { toClose }: Pick<StartContext, 'toClose'>,
  { market: { chain, pools, prices }, network, tokens }: ShownPools,
): Promise<PortalPools> {
  const feeds = await watchFeedPrices(network.embedded);
  toClose(feeds.close);
  const views = new PoolViews({
    pools,
    venues: VENUES,
    dollarsPerAtom: (mint) => prices.dollarsPerAtom(mint),
    findFeedPrice: feeds.find,
    findSymbol: (mint) => tokens.recall(mint)?.symbol ?? null,
    slot: () => chain.slot('processed'),
    now: SYSTEM_TIMERS.now,
  });
  toClose(() => views.close());
  return {
    views,
    showToken: (mint) => {
      const token = tokens.recall(mint);
      if (token !== null) return token;
      const account = pools.account(mint);
      const facts = account === null ? null : decodeMintFacts(account);
      return { symbol: null, decimals: facts?.decimals ?? null, isVerified: false };
    },
  };
}

interface FeedPrices {
  /** Returns US dollars per atom. */
  readonly find: (mint: Address) => number | null;
  readonly close: () => void;
}

/** Follows the price feeds of the embedded network. Over an outside RPC, nobody says which feeds there are. */
async function watchFeedPrices(
  chain: Pick<Chain, 'getAccounts' | 'watchAccounts'> | null,
): Promise<FeedPrices> {
  const prices = new Map<Address, number>();
  if (chain === null) return { find: () => null, close: () => undefined };
  const followed = new Map(
    GENESIS_FEEDS.flatMap(({ address, mint }) => (mint === null ? [] : [[address, mint] as const])),
  );
  const update = (updates: readonly AccountUpdate[]) => {
    for (const { address, account } of updates) {
      const mint = followed.get(address);
      if (mint === undefined) continue;
      const price = account === null ? null : computeDollarsPerAtom(mint, account.data);
      if (price === null) prices.delete(mint);
      else prices.set(mint, price);
    }
  };
  // The watch starts first, so that a change during the read is seen.
  const close = chain.watchAccounts([...followed.keys()], update);
  update(await chain.getAccounts([...followed.keys()]));
  return { find: (mint) => prices.get(mint) ?? null, close };
}

function computeDollarsPerAtom(mint: Address, data: Uint8Array): number | null {
  const decimals = findTokenByMint(mint)?.decimals;
  if (decimals === undefined) return null;
  try {
    const { price, exponent } = decodePriceFeed(data);
    return price > 0n ? Number(price) * 10 ** (exponent - decimals) : null;
  } catch (error) {
    if (error instanceof LayoutInvalid) return null;
    throw error;
  }
}
