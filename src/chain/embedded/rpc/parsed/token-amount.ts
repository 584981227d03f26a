import { formatDecimalAmount } from '../../../../solana/codec/decimal-amount.ts';

/**
 * How amounts of a mint are formatted. A scale only changes the displayed amount. It is a double because
 * Token-2022 defines it so.
 */
export interface MintDisplay {
  readonly decimals: number;
  /** Null for almost every mint. `interest` has accrued until now; a `multiplier` represents, for example, a split. */
  readonly scale: { readonly kind: 'interest' | 'multiplier'; readonly factor: number } | null;
}

/** The `UiTokenAmount` of the public interface. */
export interface UiTokenAmount {
  readonly amount: string;
  readonly decimals: number;
  /** Null when 10^decimals does not fit into 64 bits. */
  readonly uiAmount: number | null;
  readonly uiAmountString: string;
}

/** The exponent of the largest power of ten below 2^64. */
const MAX_POWER = 19;

export function uiTokenAmount(amount: bigint, { decimals, scale }: MintDisplay): UiTokenAmount {
  if (scale === null) {
    return {
      amount: amount.toString(),
      decimals,
      uiAmount: decimals > MAX_POWER ? null : Number(amount) / 10 ** decimals,
      uiAmountString: formatDecimalAmount(amount, decimals),
    };
  }
  const { kind, factor } = scale;
  const value =
    kind === 'interest'
      ? Number(amount) * (factor / 10 ** decimals)
      : Math.trunc(Number(amount) * factor) / 10 ** decimals;
  const uiAmountString = withoutExponent(value, decimals);
  return { amount: amount.toString(), decimals, uiAmount: Number(uiAmountString), uiAmountString };
}

/** Rates are basis points per year, compounded continuously. Times are Unix seconds. */
export interface InterestRates {
  readonly initializationTimestamp: bigint;
  readonly preUpdateAverageRate: number;
  readonly lastUpdateTimestamp: bigint;
  readonly currentRate: number;
}

const SECONDS_PER_YEAR = 60 * 60 * 24 * 365.24;
const BASIS_POINTS = 10_000;

/** Computes the factor of displayed amounts by Token-2022's interest-bearing extension at `unixTimestamp`. */
export function interestFactor(rates: InterestRates, unixTimestamp: bigint): number {
  const before = rates.lastUpdateTimestamp - rates.initializationTimestamp;
  const since = unixTimestamp - rates.lastUpdateTimestamp;
  return growth(rates.preUpdateAverageRate, before) * growth(rates.currentRate, since);
}

function growth(rate: number, seconds: bigint): number {
  return Math.exp(Number(BigInt(rate) * seconds) / SECONDS_PER_YEAR / BASIS_POINTS);
}

const MAX_FIXED_DIGITS = 100;

/** Formats a number with at most `decimals` digits after the point, without trailing zeros or an exponent. */
function withoutExponent(value: number, decimals: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : 'inf';
  const text = value >= 1e21 ? BigInt(value).toString() : value.toFixed(Math.min(decimals, MAX_FIXED_DIGITS));
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/** Formats a number with the fewest digits and without an exponent, like Rust formats a double. */
export function plainNumber(value: number): string {
  const [mantissa = '', exponent] = String(value).split('e');
  if (exponent === undefined) return mantissa === 'Infinity' ? 'inf' : mantissa.replace('-Infinity', '-inf');
  const [sign, whole, fraction] = [
    mantissa.startsWith('-') ? '-' : '',
    ...mantissa.replace('-', '').split('.'),
  ];
  const digits = `${whole}${fraction ?? ''}`;
  const point = 1 + Number(exponent);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return `${sign}${digits.padEnd(point, '0')}`;
}
