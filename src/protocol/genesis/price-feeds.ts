import { createHash } from 'node:crypto';
import type { KeptFeed, WalkTerms } from '../../chain/embedded/ledger/network-prices.ts';
import { type Address, toAddressBytes } from '../../solana/address.ts';
import { ByteReader } from '../../solana/codec/byte-reader.ts';
import {
  encodePriceFeed,
  PRICE_FEED_PROGRAM,
  derivePriceFeedAddress,
} from '../../solana/programs/price-feed/feed.ts';
import { derivePriceWalkAddress, encodePriceWalk } from '../../solana/programs/price-feed/walk.ts';
import type { AccountLedger } from './account-ledger.ts';
import type { GenesisKeys } from './keys.ts';
import { findMicroSol, getNanoUsd } from './prices.ts';
import { getGenesisToken, NATIVE_SYMBOL } from '../../solana/known-tokens.ts';

/** The price feed in US dollars of a token, or of something else that has a price. */
export interface GenesisFeed {
  readonly symbol: string;
  /** Null if no token of the genesis is priced by it. */
  readonly mint: Address | null;
  /** The 32-byte id of the price in Pyth's network. */
  readonly feedId: Uint8Array;
  readonly address: Address;
  /** The price is in units of 10^exponent US dollars. */
  readonly exponent: number;
  /** The worth of a token of staked SOL in millionths of a SOL, whatever SOL is worth. Null for other tokens. */
  readonly microSol: bigint | null;
  /** The price at which the network begins, in billionths of a dollar. */
  readonly nanoUsd: bigint;
  /** How the price moves from the beginning of the network on. Null if it stays until somebody moves it. */
  readonly walk: Omit<WalkTerms, 'seed'> | null;
}

/** The confidence interval is a two-thousandth of the price. */
const CONFIDENCE_DIVISOR = 2_000n;
const USUAL_EXPONENT = -8;

/** The ids of Pyth's feeds against the US dollar. For other tokens, the id is derived from the symbol. */
const FEED_IDS: Readonly<Record<string, string>> = {
  SOL: 'ef0d8b6fda2ceba41da15d4095d1da392a0d2f8ed0c6c7bc0f4cfac8c280b56d',
  USDC: 'eaa020c61cc479712813461ce153894a96a6c00b21ed0cfc2798d1f9a9e9c94a',
  USDT: '2b89b9dc8fdf9f34709a5b106b472f0f39bb6ca9ce04b0fd7f2e971688e2e53b',
  JUP: '0a0408d619e9380abad35060f9192039ed5042fa6f82301d0e48bb52be830996',
  JitoSOL: '67be9f519b95cf24338801051f9a808eff0a578ccb388db73b7f6fe1de019ffb',
  mSOL: 'c2289a6a43d2ce91c6f55caec370f4acc38a2ed477f58813334c6d03749ff2a4',
  INF: 'f51570985c642c49c2d6e50156390fdba80bb6d5f7fa389d2f012ced4f7d208f',
  BONK: '72b021217ca3fe68922a19aaf990109cb9d84e9ad004b4d2025ad6f529314419',
  WIF: '4ca4beeca86f0d164160323817a4e42b10010a724c2217c6ee41b54cd4cc61fc',
  PYTH: '0bbf28e9a841a1cc788f6a361b17ca072d0ea3098a1e5df1c3922d06719579ff',
  RAY: '91568baa8beb53db23eb3fb7f22c6e8bd303d103919e19733f2bb642d3e7987a',
  ORCA: '37505261e557e251290b8c8899453064e8d760ed5c65a779726f2490980da74c',
  JTO: 'b43660a5f790c69354b0729a5ef9d50d68f1df92107540210b9cccba1f947cc2',
  cbBTC: '2817d7bfe5c64b8ea956e9a26f573ef64e72e4d7891f2d6af9bcc93f7aff9a97',
  WBTC: 'c9d8b075a5c69303365ae23633d4e085199bf5c520a3b90fed1322a0342ffc33',
  WETH: 'ff61491a931112ddf1bd8147cd1b641375f79f5825126d665480874634fd0ace',
  RENDER: '3d4a2bd9535be6ce8059d75eadeba507b043257321aa544717c56fa19b49e35d',
  HNT: '649fdd7ec08e8e2a20f425729854e90293dcbe2376abc47197a14da6ff339756',
  JLP: 'c811abc82b4bad1f9bd711a2773ccaa935b03ecef974236942cec5e0eb845a3a',
  PYUSD: 'c1da1b73d7f01e7ddd54b3766cf7fcd644395ad14f70aa706ec5384c59e76692',
};

/** The feed of bitcoin itself, on which forecasts are made. The tokens that stand for bitcoin have feeds of their own. */
const BTC_FEED_ID = Buffer.from('e62df6c8b4a85fe1a67db44dc12de5db330f7ac66b72dc658afedf0f4a415b43', 'hex');

/** Tokens that are worth far less than a dollar need more decimals. */
const EXPONENTS: Readonly<Record<string, number>> = { BONK: -10, BERN: -10 };

/** The feeds of all tokens of the genesis, in a fixed order. */
const TOKEN_FEEDS: readonly GenesisFeed[] = [...Object.keys(FEED_IDS), 'JupSOL', 'BERN', 'JupUSD'].map(
  (symbol) => {
    const feedId = new Uint8Array(
      FEED_IDS[symbol] === undefined
        ? createHash('sha256').update(`sluice price feed\0${symbol}/USD`).digest()
        : Buffer.from(FEED_IDS[symbol], 'hex'),
    );
    return {
      symbol,
      mint: getGenesisToken(symbol).mint,
      feedId,
      address: derivePriceFeedAddress(feedId),
      exponent: EXPONENTS[symbol] ?? USUAL_EXPONENT,
      microSol: findMicroSol(symbol),
      nanoUsd: getNanoUsd(symbol),
      walk: null,
    };
  },
);

/** All feeds of the genesis. Append only: the order is part of the genesis. */
export const GENESIS_FEEDS: readonly GenesisFeed[] = [
  ...TOKEN_FEEDS,
  {
    symbol: 'BTC',
    mint: null,
    feedId: new Uint8Array(BTC_FEED_ID),
    address: derivePriceFeedAddress(BTC_FEED_ID),
    exponent: USUAL_EXPONENT,
    microSol: null,
    nanoUsd: 108_500_000_000_000n,
    walk: { deviation: 5_000, drift: 0, seconds: 15 },
  },
];

/**
 * Returns the feed of a price in US dollars.
 *
 * @throws Error when the genesis has no feed with this symbol.
 */
export function getGenesisFeed(symbol: string): GenesisFeed {
  const feed = GENESIS_FEEDS.find((each) => each.symbol === symbol);
  if (feed === undefined) throw new Error(`the genesis has no price feed for ${symbol}`);
  return feed;
}

/** The feed that tokens of staked SOL follow. */
const SOL_FEED: GenesisFeed = getGenesisFeed(NATIVE_SYMBOL);

/** The feeds in the form that the network's price process expects. */
export const KEPT_FEEDS: readonly KeptFeed[] = GENESIS_FEEDS.map(({ symbol, address, microSol: worth }) => ({
  symbol,
  feed: address,
  follows: worth === null ? null : { symbol: SOL_FEED.symbol, millionths: worth },
}));

/** Returns the confidence interval of a price, in the unit of the price. At least 1. */
function computeConfidence(price: bigint): bigint {
  const confidence = price / CONFIDENCE_DIVISOR;
  return confidence > 1n ? confidence : 1n;
}

/**
 * Adds the feeds with the prices of the genesis. Their publish time is 0, so that the network's price process publishes
 * them in its first slot, and readers consider them outdated before.
 *
 * @param foundedAt - Unix seconds from which prices move that move by themselves.
 */
export function addPriceFeeds(ledger: AccountLedger, keys: GenesisKeys, foundedAt: bigint): void {
  for (const { feedId, address, exponent, nanoUsd, walk } of GENESIS_FEEDS) {
    const price = scaleNanoUsd(nanoUsd, exponent);
    const data = encodePriceFeed({
      writeAuthority: keys.faucet.address,
      feedId,
      price,
      confidence: computeConfidence(price),
      exponent,
      publishTime: 0n,
      previousPublishTime: 0n,
      averagePrice: price,
      averageConfidence: computeConfidence(price),
      postedSlot: 0n,
    });
    ledger.addData(address, PRICE_FEED_PROGRAM, data);
    if (walk !== null) addWalk(ledger, keys, { feed: address, terms: walk, foundedAt });
  }
}

/** Converts billionths of a dollar to units of 10^exponent dollars, rounded down. */
function scaleNanoUsd(nano: bigint, exponent: number): bigint {
  const shift = -exponent - 9;
  return shift >= 0 ? nano * 10n ** BigInt(shift) : nano / 10n ** BigInt(-shift);
}

interface WalkToAdd {
  readonly feed: Address;
  readonly terms: Omit<WalkTerms, 'seed'>;
  readonly foundedAt: bigint;
}

/**
 * Adds the walk of a feed, whose steps fall on whole multiples of their length, so that a price is published at the moment at
 * which a round of forecasts ends. Its path depends on the keys.
 */
function addWalk(
  ledger: AccountLedger,
  { faucet }: GenesisKeys,
  { feed, terms, foundedAt }: WalkToAdd,
): void {
  const seed = new ByteReader(toAddressBytes(faucet.address), 'seed of a walk').u64();
  const startedAt = foundedAt - (foundedAt % BigInt(terms.seconds));
  const data = encodePriceWalk(feed, { ...terms, seed, startedAt, steps: 0n });
  ledger.addData(derivePriceWalkAddress(feed), PRICE_FEED_PROGRAM, data);
}
