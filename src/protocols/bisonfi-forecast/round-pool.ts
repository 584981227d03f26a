import type { Account, AccountFilter } from '../../chain/accounts.ts';
import type { Address } from '../../solana/address.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { decodePriceFeed, PRICE_FEED_PROGRAM } from '../../solana/programs/price-feed/feed.ts';
import { decodeTokenAccount } from '../../solana/programs/token/account.ts';
import { cachePerAccount } from '../../protocol/venue/once-per-account.ts';
import { decodeOrUnusable, PoolUnusable } from '../../protocol/venue/unusable-pool.ts';
import type { AccountReader, PoolState, Quote, Unusable } from '../../protocol/venue/venue.ts';
import {
  decodeForecastRound,
  decodeForecastSide,
  FORECAST_ACCOUNT_TAGS,
  FORECAST_SIDE_SIZE,
  type ForecastRoundAccount,
  type ForecastSideAccount,
} from './forecast-accounts.ts';
import { FORECAST_PROGRAM, type OutcomeSide } from './forecast-program.ts';

/** What the feed of a round says now. */
export interface RoundFeed {
  readonly price: bigint;
  readonly confidence: bigint;
  readonly exponent: number;
  /** Unix seconds. */
  readonly publishTime: bigint;
  /** The slot in which it was published. */
  readonly postedSlot: bigint;
}

/** One side of an open round with everything that a quote needs. `mints` are USDC and the token of the side. */
export interface BisonFiPool extends PoolState {
  readonly side: OutcomeSide;
  readonly round: Address;
  readonly feedAddress: Address;
  readonly vault: Address;
  /** What the vault holds: micro USD. */
  readonly vaultAmount: bigint;
  readonly feed: RoundFeed;
  readonly openPrice: bigint;
  readonly exponent: number;
  /** Unix seconds. */
  readonly closeTime: bigint;
  /** In millionths an hour. */
  readonly deviation: bigint;
  readonly halfSpread: bigint;
  readonly slope: bigint;
  /** The millionths of a token that holders have of this side, and of the other. */
  readonly outstanding: bigint;
  readonly otherOutstanding: bigint;
}

/** The filter by which nodes tell the sides of rounds from the program's other accounts. */
export const SIDE_FILTER: AccountFilter = {
  dataSize: FORECAST_SIDE_SIZE,
  memcmp: { offset: 0, bytes: FORECAST_ACCOUNT_TAGS.side },
};

/** Whether an account is a side of a round. */
export function isPool({ owner, data }: Account): boolean {
  const tag = FORECAST_ACCOUNT_TAGS.side;
  return (
    owner === FORECAST_PROGRAM &&
    data.length === FORECAST_SIDE_SIZE &&
    tag.every((byte, index) => data[index] === byte)
  );
}

/**
 * Returns the round, the feed, the vault and the mint of the side.
 *
 * @throws LayoutInvalid for a side that cannot be decoded
 */
export function listRoundDependencies(account: Account): readonly Address[] {
  const { round, feed, vault, mint } = readSide(account);
  return [round, feed, vault, mint];
}

/** Returns `Unusable` if every swap would be refused until an account changes, and for good after the round's result. */
export function decodePoolState(address: Address, read: AccountReader): BisonFiPool | Unusable {
  return decodeOrUnusable(() => readPool(address, read));
}

/** Returns a side of a round after a swap in a side, which may be the other one of the same round. */
export function advanceRoundPool(
  pool: BisonFiPool,
  swapped: BisonFiPool,
  inputMint: Address,
  { inAmount, outAmount }: Quote,
): BisonFiPool {
  if (swapped.round !== pool.round) return pool;
  const [usdc, tokens] = inputMint === swapped.mints[0] ? [inAmount, outAmount] : [-outAmount, -inAmount];
  const isSame = swapped.side === pool.side;
  return {
    ...pool,
    vaultAmount: pool.vaultAmount + usdc,
    outstanding: pool.outstanding + (isSame ? tokens : 0n),
    otherOutstanding: pool.otherOutstanding + (isSame ? 0n : tokens),
  };
}

function readPool(address: Address, read: AccountReader): BisonFiPool | Unusable {
  const pool = readSide(getOwned(read, address, FORECAST_PROGRAM, 'side'));
  const round = readRound(getOwned(read, pool.round, FORECAST_PROGRAM, 'round'));
  if (round.status !== 'open') return { unusable: `the round has the result ${round.status}`, isFinal: true };
  getOwned(read, pool.mint, TOKEN_2022_PROGRAM, 'mint');
  const vault = readTokens(getOwned(read, pool.vault, TOKEN_PROGRAM, 'vault'));
  if (vault.state !== 'initialized') throw new PoolUnusable(`the vault is ${vault.state}`);
  const feed = readFeed(getOwned(read, pool.feed, PRICE_FEED_PROGRAM, 'feed'));
  const { upOutstanding, downOutstanding } = round;
  const isUp = pool.side === 'up';
  return {
    address,
    mints: [pool.usdcMint, pool.mint],
    side: pool.side,
    round: pool.round,
    feedAddress: pool.feed,
    vault: pool.vault,
    vaultAmount: vault.amount,
    feed: {
      price: feed.price,
      confidence: feed.confidence,
      exponent: feed.exponent,
      publishTime: feed.publishTime,
      postedSlot: feed.postedSlot,
    },
    openPrice: round.openPrice,
    exponent: round.exponent,
    closeTime: round.closeTime,
    deviation: BigInt(round.deviation),
    halfSpread: BigInt(round.halfSpread),
    slope: BigInt(round.slope),
    outstanding: isUp ? upOutstanding : downOutstanding,
    otherOutstanding: isUp ? downOutstanding : upOutstanding,
  };
}

function getOwned(read: AccountReader, address: Address, owner: Address, name: string): Account {
  const account = read(address);
  if (account === null) throw new PoolUnusable(`${name} ${address} does not exist`);
  if (account.owner !== owner) {
    throw new PoolUnusable(`${name} ${address} is owned by ${account.owner}, not ${owner}`);
  }
  return account;
}

function requireKind<T>(decoded: T | null, name: string): T {
  if (decoded === null) throw new PoolUnusable(`the ${name} is an account of another kind`);
  return decoded;
}

// Both sides of a round share these accounts, and a swap changes several of them one after another.
const readSide: (account: Account) => ForecastSideAccount = cachePerAccount(({ data }) =>
  requireKind(decodeForecastSide(data), 'side'),
);
const readRound: (account: Account) => ForecastRoundAccount = cachePerAccount(({ data }) =>
  requireKind(decodeForecastRound(data), 'round'),
);
const readTokens = cachePerAccount(({ data }) => decodeTokenAccount(data));
const readFeed = cachePerAccount(({ data }) => decodePriceFeed(data));
