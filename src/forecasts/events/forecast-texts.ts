import {
  FORECAST_CLOSING_SECONDS,
  FORECAST_VOID_AFTER_SECONDS,
} from '../../protocols/bisonfi-forecast/forecast-program.ts';
import type { ForecastRound } from '../forecast.ts';

/** The names of what feeds price. Anything else goes by its short name. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['BNB', 'BNB'],
  ['BTC', 'Bitcoin'],
  ['DOGE', 'Dogecoin'],
  ['ETH', 'Ethereum'],
  ['HYPE', 'Hyperliquid'],
  ['SOL', 'Solana'],
  ['XRP', 'XRP'],
]);

const VOID_MINUTES = FORECAST_VOID_AFTER_SECONDS / 60;

type RoundTerms = Pick<ForecastRound, 'asset' | 'openAt' | 'closeAt' | 'openPrice' | 'exponent' | 'feed'>;

/** Returns the title of a round, such as `Bitcoin up or down, 14:05 to 14:10 UTC`. */
export function describeForecast({ asset, openAt, closeAt }: RoundTerms): string {
  return `${nameAsset(asset)} up or down, ${toMinute(openAt)} to ${toMinute(closeAt)} UTC`;
}

/** Returns the day of a round, such as `29 November 2026`. */
export function describeForecastDay(second: number): string {
  return new Date(second * 1_000).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
}

/** Returns what has to happen for one side of a round to be paid. */
export function describeForecastSide(round: RoundTerms, side: 'up' | 'down'): string {
  const { asset, closeAt, openPrice, exponent } = round;
  const open = formatFeedPrice(openPrice, exponent);
  const which =
    side === 'up' ? `at or above the opening price of ${open} USD` : `below the opening price of ${open} USD`;
  return (
    `Each token pays 1.00 USDC if the closing price of ${nameAsset(asset)} at ${toSecond(closeAt)} UTC on ` +
    `${describeForecastDay(closeAt)} is ${which}. Otherwise it pays nothing.`
  );
}

/** Returns how the prices of a round are found, and when it is void. */
export function describeForecastSource({ feed, openAt, closeAt }: RoundTerms): string {
  return (
    `Both prices are those of the price feed ${feed}. The opening price is its price when the round was opened, ` +
    `at or after ${toSecond(openAt)} UTC. The closing price is that of its first update at or after ${toSecond(closeAt)} UTC, ` +
    `by the publish time of the update. Trading ends ${FORECAST_CLOSING_SECONDS} seconds before the close. Winning tokens are paid without ` +
    `a claim. If there is no such closing price within ${VOID_MINUTES} minutes of the close, the round can be declared void, and ` +
    'each token of both sides then pays 0.50 USDC.'
  );
}

/** Returns when a round closes, as lists of events show it. */
export function describeForecastClose({ closeAt }: RoundTerms): string {
  return `The round closes at ${toSecond(closeAt)} UTC on ${describeForecastDay(closeAt)}.`;
}

/** Writes a price of a feed in dollars with all its digits, but no trailing zeros beyond cents: `108,500.25`. */
export function formatFeedPrice(price: bigint, exponent: number): string {
  if (exponent >= 0) return `${groupThousands(String(price * 10n ** BigInt(exponent)))}.00`;
  const digits = String(price).padStart(1 - exponent, '0');
  const fraction = digits.slice(exponent).replace(/0+$/, '').padEnd(2, '0');
  return `${groupThousands(digits.slice(0, exponent))}.${fraction}`;
}

function groupThousands(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',');
}

function nameAsset(asset: string): string {
  return NAMES.get(asset) ?? asset;
}

function toMinute(second: number): string {
  return new Date(second * 1_000).toISOString().slice(11, 16);
}

function toSecond(second: number): string {
  return new Date(second * 1_000).toISOString().slice(11, 19);
}
