import type { Address } from '../../solana/address.ts';
import { ByteReader } from '../../solana/codec/byte-reader.ts';
import { readForecastAsset } from './forecast-asset.ts';
import { FORECAST_ROUND_STATUSES, type ForecastRoundStatus } from './forecast-accounts.ts';
import { OUTCOME_SIDES, type OutcomeSide } from './forecast-program.ts';

// The events of rounds. Tokens are millionths of a token, sums micro USD, times Unix seconds, and prices of the feed in
// units of 10^`exponent` US dollars.

/** A round was opened. */
export interface ForecastRoundOpened {
  readonly kind: 'round-opened';
  readonly round: Address;
  readonly feed: Address;
  readonly asset: string;
  readonly seconds: number;
  readonly openTime: bigint;
  readonly closeTime: bigint;
  readonly openPrice: bigint;
  readonly exponent: number;
  readonly upMint: Address;
  readonly downMint: Address;
  readonly funding: bigint;
  readonly timestamp: bigint;
}

/** Somebody bought or sold tokens of one side. */
export interface ForecastSwapped {
  readonly kind: 'swapped';
  readonly round: Address;
  /** The owner of `account`. */
  readonly owner: Address;
  /** The token account that got the tokens, or that they were taken from. */
  readonly account: Address;
  /** Who signed: another one than the owner where a route's own account or a delegate trades. */
  readonly authority: Address;
  readonly side: OutcomeSide;
  readonly isBuy: boolean;
  readonly contracts: bigint;
  readonly usdc: bigint;
  /** What a token of the side was worth by the feed before the trade, in micro USD. */
  readonly fairPrice: bigint;
  /** What the first token of the trade cost or brought, in micro USD. */
  readonly price: bigint;
  readonly feedPrice: bigint;
  /** After the trade. */
  readonly upOutstanding: bigint;
  /** After the trade. */
  readonly downOutstanding: bigint;
  readonly timestamp: bigint;
}

/** A round has a result. */
export interface ForecastRoundSettled {
  readonly kind: 'round-settled';
  readonly round: Address;
  readonly outcome: Exclude<ForecastRoundStatus, 'open'>;
  readonly openPrice: bigint;
  /** 0 for a void round. */
  readonly closePrice: bigint;
  readonly upOutstanding: bigint;
  readonly downOutstanding: bigint;
  /** What went back to the reserve. */
  readonly returned: bigint;
  readonly timestamp: bigint;
}

/** The tokens of one account were burned, and paid for if their side has won or the round is void. */
export interface ForecastPaidOut {
  readonly kind: 'paid-out';
  readonly round: Address;
  readonly owner: Address;
  /** The token account. */
  readonly account: Address;
  readonly side: OutcomeSide;
  readonly outcome: Exclude<ForecastRoundStatus, 'open'>;
  readonly burned: bigint;
  /** What has arrived at the owner. */
  readonly paid: bigint;
  readonly timestamp: bigint;
}

/** The accounts of a round are gone. */
export interface ForecastRoundClosed {
  readonly kind: 'round-closed';
  readonly round: Address;
  /** What was left, which went to the reserve. */
  readonly returned: bigint;
  readonly timestamp: bigint;
}

/** An event of a round. */
export type ForecastProgramEvent =
  | ForecastRoundOpened
  | ForecastSwapped
  | ForecastRoundSettled
  | ForecastPaidOut
  | ForecastRoundClosed;

const READERS: ReadonlyMap<string, (from: ByteReader) => ForecastProgramEvent> = new Map<
  string,
  (from: ByteReader) => ForecastProgramEvent
>([
  ['63ade4488e396db2', readOpened],
  ['d93434539387606d', readSwapped],
  ['f9e142369dc8eade', readSettled],
  ['0689d1e1fc35f9fc', readPaidOut],
  ['2df31c168446afe2', readClosed],
]);

/**
 * Decodes the data of a log line of the program that begins with `Program data:`. Returns null for data of another
 * program.
 *
 * @throws LayoutInvalid when an event is cut short, or names a side or an outcome that is not known.
 */
export function decodeForecastEvent(data: Uint8Array): ForecastProgramEvent | null {
  const read = READERS.get(Buffer.from(data.subarray(0, 8)).toString('hex'));
  return read === undefined ? null : read(new ByteReader(data, 'event of forecasts', 8));
}

function readOpened(from: ByteReader): ForecastRoundOpened {
  return {
    kind: 'round-opened',
    round: from.address(),
    feed: from.address(),
    asset: readForecastAsset(from),
    seconds: from.u32(),
    openTime: from.i64(),
    closeTime: from.i64(),
    openPrice: from.i64(),
    exponent: from.i32(),
    upMint: from.address(),
    downMint: from.address(),
    funding: from.u64(),
    timestamp: from.i64(),
  };
}

function readSwapped(from: ByteReader): ForecastSwapped {
  return {
    kind: 'swapped',
    round: from.address(),
    owner: from.address(),
    account: from.address(),
    authority: from.address(),
    side: readSide(from),
    isBuy: from.bool(),
    contracts: from.u64(),
    usdc: from.u64(),
    fairPrice: from.u64(),
    price: from.u64(),
    feedPrice: from.i64(),
    upOutstanding: from.u64(),
    downOutstanding: from.u64(),
    timestamp: from.i64(),
  };
}

function readSettled(from: ByteReader): ForecastRoundSettled {
  return {
    kind: 'round-settled',
    round: from.address(),
    outcome: readOutcome(from),
    openPrice: from.i64(),
    closePrice: from.i64(),
    upOutstanding: from.u64(),
    downOutstanding: from.u64(),
    returned: from.u64(),
    timestamp: from.i64(),
  };
}

function readPaidOut(from: ByteReader): ForecastPaidOut {
  return {
    kind: 'paid-out',
    round: from.address(),
    owner: from.address(),
    account: from.address(),
    side: readSide(from),
    outcome: readOutcome(from),
    burned: from.u64(),
    paid: from.u64(),
    timestamp: from.i64(),
  };
}

function readClosed(from: ByteReader): ForecastRoundClosed {
  return {
    kind: 'round-closed',
    round: from.address(),
    returned: from.u64(),
    timestamp: from.i64(),
  };
}

function readSide(from: ByteReader): OutcomeSide {
  return OUTCOME_SIDES[from.u8()] ?? from.fail('unknown side');
}

function readOutcome(from: ByteReader): Exclude<ForecastRoundStatus, 'open'> {
  const status = FORECAST_ROUND_STATUSES[from.u8()] ?? from.fail('unknown outcome');
  return status === 'open' ? from.fail('no outcome') : status;
}
