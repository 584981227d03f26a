import type { Account } from '../../chain/accounts.ts';
import type { ChainClock } from '../../chain/chain.ts';
import {
  encodeForecastRound,
  encodeForecastSide,
  type ForecastRoundAccount,
} from '../../protocols/bisonfi-forecast/forecast-accounts.ts';
import {
  deriveForecastRound,
  deriveForecastSide,
  deriveForecastVault,
  deriveOutcomeMint,
  FORECAST_PROGRAM,
  FORECAST_USDC,
  OUTCOME_SIDES,
  type OutcomeSide,
} from '../../protocols/bisonfi-forecast/forecast-program.ts';
import { type BisonFiPool, decodePoolState } from '../../protocols/bisonfi-forecast/round-pool.ts';
import { type Address, toAddress } from '../../solana/address.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import {
  derivePriceFeedAddress,
  encodePriceFeed,
  PRICE_FEED_PROGRAM,
  type PriceFeed,
} from '../../solana/programs/price-feed/feed.ts';
import type { TokenAccount } from '../../solana/programs/token/account.ts';
import { encodeMint } from '../../solana/programs/token/mint.ts';
import { computeRentExemptMinimum } from '../../solana/rent.ts';
import { ordinaryTokenAccount } from '../token-account.ts';

/** What differs from an open round of 5 minutes that nobody has traded in. */
export interface RoundChange {
  readonly round?: Partial<ForecastRoundAccount>;
  readonly feed?: Partial<PriceFeed>;
  /** Micro USD. */
  readonly vaultAmount?: bigint;
  readonly vaultState?: TokenAccount['state'];
  /** An account that does not exist. */
  readonly missing?: 'round' | 'feed' | 'vault' | 'mint';
}

/** The accounts of one side of a round. */
export interface RoundWorld {
  readonly accounts: ReadonlyMap<Address, Account>;
  readonly side: Address;
  readonly round: Address;
  readonly feed: Address;
  readonly vault: Address;
  readonly mint: Address;
  readonly usdc: Address;
}

/** Bitcoin at 108,500 dollars, in the unit of the feed. */
export const ROUND_PRICE = 10_850_000_000_000n;
/** The Unix second in which the round opens. */
export const ROUND_OPENS_AT = 1_800_000_000n;
/** The moment in which the round opens. */
export const ROUND_CLOCK: ChainClock = { slot: 1_000n, epoch: 0n, unixTimestamp: ROUND_OPENS_AT };

const SECONDS = 300;
const FEED_ID = new Uint8Array(32).fill(7);
const OPERATOR = toAddress(new Uint8Array(32).fill(8));
const FEED = derivePriceFeedAddress(FEED_ID);
const ROUND = deriveForecastRound({ feed: FEED, seconds: SECONDS, openTime: ROUND_OPENS_AT });
const MINTS = OUTCOME_SIDES.map((side) => deriveOutcomeMint(ROUND.address, side).address);
const SIDES = OUTCOME_SIDES.map((side) => deriveForecastSide(ROUND.address, side));
const VAULT = deriveForecastVault(ROUND.address);

/** Writes the accounts of a round as the program and the network do, with those of both sides. */
export function createRoundWorld(change: RoundChange = {}, side: OutcomeSide = 'up'): RoundWorld {
  const [upMint, downMint] = MINTS as [Address, Address];
  const closeTime = ROUND_OPENS_AT + BigInt(SECONDS);
  const round = encodeForecastRound({
    operator: OPERATOR,
    feed: FEED,
    asset: 'BTC',
    seconds: SECONDS,
    openTime: ROUND_OPENS_AT,
    closeTime,
    openPrice: ROUND_PRICE,
    exponent: -8,
    closePrice: 0n,
    status: 'open',
    settledAt: 0n,
    upOutstanding: 0n,
    downOutstanding: 0n,
    deviation: 5_000,
    halfSpread: 10_000,
    slope: 10_000,
    funding: 5_000_000_000n,
    volume: 0n,
    bump: ROUND.bump,
    upMint,
    downMint,
    ...change.round,
  });
  const feed = encodePriceFeed({
    writeAuthority: OPERATOR,
    feedId: FEED_ID,
    price: ROUND_PRICE,
    confidence: ROUND_PRICE / 2_000n,
    exponent: -8,
    publishTime: ROUND_OPENS_AT,
    previousPublishTime: ROUND_OPENS_AT - 15n,
    averagePrice: ROUND_PRICE,
    averageConfidence: ROUND_PRICE / 2_000n,
    postedSlot: ROUND_CLOCK.slot,
    ...change.feed,
  });
  const vault = ordinaryTokenAccount({
    mint: FORECAST_USDC,
    owner: ROUND.address,
    amount: change.vaultAmount ?? 5_000_000_000n,
    state: change.vaultState ?? 'initialized',
  });
  const index = OUTCOME_SIDES.indexOf(side);
  const [mint, sideAccount] = [MINTS[index] as Address, SIDES[index]?.address as Address];
  const accounts = new Map<Address, Account>([
    [ROUND.address, toAccount(FORECAST_PROGRAM, round)],
    [FEED, toAccount(PRICE_FEED_PROGRAM, feed)],
    [VAULT, toAccount(TOKEN_PROGRAM, vault)],
  ]);
  for (const [at, each] of OUTCOME_SIDES.entries()) {
    const ofSide = {
      round: ROUND.address,
      side: each,
      mint: MINTS[at] as Address,
      feed: FEED,
      vault: VAULT,
      usdcMint: FORECAST_USDC,
      closeTime,
      bump: SIDES[at]?.bump ?? 0,
    };
    accounts.set(SIDES[at]?.address as Address, toAccount(FORECAST_PROGRAM, encodeForecastSide(ofSide)));
    accounts.set(MINTS[at] as Address, toAccount(TOKEN_2022_PROGRAM, encodeOutcomeMint()));
  }
  const world = {
    side: sideAccount,
    round: ROUND.address,
    feed: FEED,
    vault: VAULT,
    mint,
    usdc: FORECAST_USDC,
  };
  if (change.missing !== undefined) accounts.delete(world[change.missing]);
  return { ...world, accounts };
}

/**
 * Decodes a side as routes know it.
 *
 * @throws Error when it cannot be used
 */
export function decodeRoundPool(change: RoundChange = {}, side: OutcomeSide = 'up'): BisonFiPool {
  const world = createRoundWorld(change, side);
  const pool = decodePoolState(world.side, (address) => world.accounts.get(address) ?? null);
  if ('unusable' in pool) throw new Error(pool.unusable);
  return pool;
}

function encodeOutcomeMint(): Uint8Array {
  return encodeMint({
    mintAuthority: ROUND.address,
    supply: 0n,
    decimals: 6,
    freezeAuthority: null,
    extensions: [],
  });
}

function toAccount(owner: Address, data: Uint8Array): Account {
  return { lamports: computeRentExemptMinimum(data.length), owner, data, executable: false, rentEpoch: 0n };
}
