import type { Address } from '../../solana/address.ts';
import { ByteReader } from '../../solana/codec/byte-reader.ts';
import { ByteWriter } from '../../solana/codec/byte-writer.ts';
import { FORECAST_ACCOUNT_TAGS } from './forecast-accounts.ts';
import { readForecastAsset, writeForecastAsset } from './forecast-asset.ts';

/** How many schedules there may be. */
export const FORECAST_MAX_SCHEDULES = 8;

const SCHEDULE_SIZE = 64;
/** The length of the settings, in bytes. */
export const FORECAST_CONFIG_SIZE = 8 + 32 + 1 + FORECAST_MAX_SCHEDULES * SCHEDULE_SIZE;

/** How rounds of one feed and one length are opened. */
export interface ForecastSchedule {
  readonly feed: Address;
  /** What the feed prices, in at most 8 characters, such as `BTC`. */
  readonly asset: string;
  /** How long a round lasts: 300 or 900. */
  readonly seconds: number;
  /** What a round gets out of the reserve, in micro USD. */
  readonly funding: bigint;
  /** Of the price, in millionths an hour. */
  readonly deviation: number;
  /** What the house adds to the fair price and takes off it, in micro USD. */
  readonly halfSpread: number;
  /** How much dearer each 1,000 tokens make their side, in micro USD. */
  readonly slope: number;
}

/** The settings of the program. */
export interface ForecastConfigAccount {
  readonly operator: Address;
  /** At most 8. Instructions name them by their place. */
  readonly schedules: readonly ForecastSchedule[];
}

/**
 * Decodes the settings. Returns null for an account of another kind.
 *
 * @throws LayoutInvalid when the fields are cut short.
 */
export function decodeForecastConfig(data: Uint8Array): ForecastConfigAccount | null {
  const tag = FORECAST_ACCOUNT_TAGS.config;
  if (data.length < tag.length || tag.some((byte, index) => data[index] !== byte)) return null;
  const from = new ByteReader(data, 'forecast config', tag.length);
  const operator = from.address();
  const count = from.u8();
  if (count > FORECAST_MAX_SCHEDULES) from.fail(`at most ${FORECAST_MAX_SCHEDULES} schedules, got ${count}`);
  return { operator, schedules: Array.from({ length: count }, () => readSchedule(from)) };
}

/**
 * Encodes the settings.
 *
 * @throws RangeError for more than 8 schedules.
 */
export function encodeForecastConfig({ operator, schedules }: ForecastConfigAccount): Uint8Array {
  const to = new ByteWriter(FORECAST_CONFIG_SIZE).bytes(FORECAST_ACCOUNT_TAGS.config).address(operator);
  writeForecastSchedules(to, schedules);
  return to.zeros(FORECAST_CONFIG_SIZE - to.length).finish();
}

/**
 * Writes schedules: their number in one byte, then each.
 *
 * @throws RangeError for more than 8.
 */
export function writeForecastSchedules(to: ByteWriter, schedules: readonly ForecastSchedule[]): ByteWriter {
  if (schedules.length > FORECAST_MAX_SCHEDULES) {
    throw new RangeError(`there are at most ${FORECAST_MAX_SCHEDULES} schedules, got ${schedules.length}`);
  }
  to.u8(schedules.length);
  for (const schedule of schedules) {
    writeForecastAsset(to.address(schedule.feed), schedule.asset)
      .u32(schedule.seconds)
      .u64(schedule.funding)
      .u32(schedule.deviation)
      .u32(schedule.halfSpread)
      .u32(schedule.slope);
  }
  return to;
}

function readSchedule(from: ByteReader): ForecastSchedule {
  return {
    feed: from.address(),
    asset: readForecastAsset(from),
    seconds: from.u32(),
    funding: from.u64(),
    deviation: from.u32(),
    halfSpread: from.u32(),
    slope: from.u32(),
  };
}
