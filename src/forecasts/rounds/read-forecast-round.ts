import { decodeForecastRound } from '../../protocols/bisonfi-forecast/forecast-accounts.ts';
import { deriveForecastSide } from '../../protocols/bisonfi-forecast/forecast-program.ts';
import type { Address } from '../../solana/address.ts';
import type { ForecastRound } from '../forecast.ts';

/**
 * Reads the account of a round. Returns null for an account of another kind.
 *
 * @param known - The same round as it was before. The addresses of its sides are derived once.
 * @throws LayoutInvalid when it cannot be decoded.
 */
export function readForecastRound(
  address: Address,
  data: Uint8Array,
  known: ForecastRound | null = null,
): ForecastRound | null {
  const account = decodeForecastRound(data);
  if (account === null) return null;
  const { feed, asset, seconds, openTime, closeTime, openPrice, exponent, closePrice } = account;
  const { status, settledAt, upMint, downMint, upOutstanding, downOutstanding } = account;
  return {
    address,
    feed,
    asset,
    seconds,
    openAt: Number(openTime),
    closeAt: Number(closeTime),
    openPrice,
    exponent,
    closePrice: status === 'up' || status === 'down' ? closePrice : null,
    outcome: status === 'open' ? null : status,
    settledAt: Number(settledAt),
    up: {
      mint: upMint,
      pool: known?.up.pool ?? deriveForecastSide(address, 'up').address,
      outstanding: upOutstanding,
    },
    down: {
      mint: downMint,
      pool: known?.down.pool ?? deriveForecastSide(address, 'down').address,
      outstanding: downOutstanding,
    },
  };
}
