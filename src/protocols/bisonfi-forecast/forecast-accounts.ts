import type { Address } from '../../solana/address.ts';
import { ByteReader } from '../../solana/codec/byte-reader.ts';
import { ByteWriter } from '../../solana/codec/byte-writer.ts';
import { readForecastAsset, writeForecastAsset } from './forecast-asset.ts';
import { OUTCOME_SIDES, type OutcomeSide } from './forecast-program.ts';

// The accounts of rounds and of their sides. Tokens are millionths of a token, sums micro USD, times Unix seconds, and
// prices are in units of 10^`exponent` US dollars, as the feed has them.

/** The length of a round, in bytes. */
export const FORECAST_ROUND_SIZE = 238;
/** The length of a side, in bytes. */
export const FORECAST_SIDE_SIZE = 178;

/** The first bytes of each kind of account. */
export const FORECAST_ACCOUNT_TAGS = {
  config: Uint8Array.of(188, 76, 158, 217, 34, 73, 212, 79),
  round: Uint8Array.of(3, 25, 38, 129, 119, 157, 170, 102),
  side: Uint8Array.of(103, 36, 201, 178, 239, 236, 241, 55),
} as const;

/** The statuses of a round by their numbers. Until it is settled it is open; a void one pays half for each token. */
export const FORECAST_ROUND_STATUSES = ['open', 'up', 'down', 'void'] as const;

/** The status of a round. */
export type ForecastRoundStatus = (typeof FORECAST_ROUND_STATUSES)[number];

/** A round, from its opening until it is closed. */
export interface ForecastRoundAccount {
  /** Opened it, pays holders, closes it and gets the rent. */
  readonly operator: Address;
  readonly feed: Address;
  /** What the feed prices, such as `BTC`. */
  readonly asset: string;
  /** How long it lasts. */
  readonly seconds: number;
  readonly openTime: bigint;
  readonly closeTime: bigint;
  readonly openPrice: bigint;
  readonly exponent: number;
  /** 0 until it is settled, and for a void round. */
  readonly closePrice: bigint;
  readonly status: ForecastRoundStatus;
  /** 0 until it is settled. */
  readonly settledAt: bigint;
  readonly upOutstanding: bigint;
  readonly downOutstanding: bigint;
  /** Of the price, in millionths an hour. */
  readonly deviation: number;
  /** Micro USD. */
  readonly halfSpread: number;
  /** Micro USD for each 1,000 tokens. */
  readonly slope: number;
  readonly funding: bigint;
  /** The USDC of all trades, both ways. */
  readonly volume: bigint;
  readonly bump: number;
  readonly upMint: Address;
  readonly downMint: Address;
}

/** One side of a round. It never changes. */
export interface ForecastSideAccount {
  readonly round: Address;
  readonly side: OutcomeSide;
  readonly mint: Address;
  readonly feed: Address;
  /** The token account of the round. */
  readonly vault: Address;
  readonly usdcMint: Address;
  readonly closeTime: bigint;
  readonly bump: number;
}

/**
 * Decodes a round. Returns null for an account of another kind.
 *
 * @throws LayoutInvalid when the fields are cut short, or for a status that is not known.
 */
export function decodeForecastRound(data: Uint8Array): ForecastRoundAccount | null {
  if (!startsWith(data, FORECAST_ACCOUNT_TAGS.round)) return null;
  const from = new ByteReader(data, 'forecast round', 8);
  return {
    operator: from.address(),
    feed: from.address(),
    asset: readForecastAsset(from),
    seconds: from.u32(),
    openTime: from.i64(),
    closeTime: from.i64(),
    openPrice: from.i64(),
    exponent: from.i32(),
    closePrice: from.i64(),
    status: FORECAST_ROUND_STATUSES[from.u8()] ?? from.fail('unknown status'),
    settledAt: from.i64(),
    upOutstanding: from.u64(),
    downOutstanding: from.u64(),
    deviation: from.u32(),
    halfSpread: from.u32(),
    slope: from.u32(),
    funding: from.u64(),
    volume: from.u64(),
    bump: from.u8(),
    upMint: from.address(),
    downMint: from.address(),
  };
}

/** Encodes a round. */
export function encodeForecastRound(round: ForecastRoundAccount): Uint8Array {
  const to = new ByteWriter(FORECAST_ROUND_SIZE)
    .bytes(FORECAST_ACCOUNT_TAGS.round)
    .address(round.operator)
    .address(round.feed);
  return writeForecastAsset(to, round.asset)
    .u32(round.seconds)
    .i64(round.openTime)
    .i64(round.closeTime)
    .i64(round.openPrice)
    .i32(round.exponent)
    .i64(round.closePrice)
    .u8(FORECAST_ROUND_STATUSES.indexOf(round.status))
    .i64(round.settledAt)
    .u64(round.upOutstanding)
    .u64(round.downOutstanding)
    .u32(round.deviation)
    .u32(round.halfSpread)
    .u32(round.slope)
    .u64(round.funding)
    .u64(round.volume)
    .u8(round.bump)
    .address(round.upMint)
    .address(round.downMint)
    .finish();
}

/**
 * Decodes a side. Returns null for an account of another kind.
 *
 * @throws LayoutInvalid when the fields are cut short, or for a side that is not known.
 */
export function decodeForecastSide(data: Uint8Array): ForecastSideAccount | null {
  if (!startsWith(data, FORECAST_ACCOUNT_TAGS.side)) return null;
  const from = new ByteReader(data, 'forecast side', 8);
  return {
    round: from.address(),
    side: OUTCOME_SIDES[from.u8()] ?? from.fail('unknown side'),
    mint: from.address(),
    feed: from.address(),
    vault: from.address(),
    usdcMint: from.address(),
    closeTime: from.i64(),
    bump: from.u8(),
  };
}

/** Encodes a side. */
export function encodeForecastSide(side: ForecastSideAccount): Uint8Array {
  return new ByteWriter(FORECAST_SIDE_SIZE)
    .bytes(FORECAST_ACCOUNT_TAGS.side)
    .address(side.round)
    .u8(OUTCOME_SIDES.indexOf(side.side))
    .address(side.mint)
    .address(side.feed)
    .address(side.vault)
    .address(side.usdcMint)
    .i64(side.closeTime)
    .u8(side.bump)
    .finish();
}

function startsWith(data: Uint8Array, tag: Uint8Array): boolean {
  return data.length >= tag.length && tag.every((byte, index) => data[index] === byte);
}
