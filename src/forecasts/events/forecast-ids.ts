import type { Address } from '../../solana/address.ts';
import { sha256 } from '../../solana/encoding/sha256.ts';
import type { ForecastSide } from '../forecast.ts';

const PREFIX = 'BISON-';
const HASH_BYTES = 16;

/** Returns the id of the event that a round is. */
export function toForecastEventId(round: Address): string {
  return `${PREFIX}${round}`;
}

/** Returns the id of the market that one side of a round is. */
export function toForecastMarketId(round: Address, side: ForecastSide): string {
  return `${PREFIX}${round}-${side.toUpperCase()}`;
}

/** Derives the hash by which the record names a market of forecasts: 32 hex characters. */
export function deriveForecastHash(marketId: string): string {
  return Buffer.from(sha256(Buffer.from(marketId)).subarray(0, HASH_BYTES)).toString('hex');
}
