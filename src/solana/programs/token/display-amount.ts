import type { Address } from '../../address.ts';
import { ByteReader } from '../../codec/byte-reader.ts';
import { formatDecimalAmount } from '../../codec/decimal-amount.ts';
import { type Extension, ExtensionType, findExtension, readMaybeAddress } from './extensions.ts';
import type { Mint } from './mint.ts';

/**
 * How amounts of a mint are formatted. A scale only changes the displayed amount. It is a double because
 * Token-2022 defines it so.
 */
export interface MintDisplay {
  readonly decimals: number;
  /** Null for almost every mint. */
  readonly scale: DisplayScale | null;
}

/** `interest` has accrued until now; a `multiplier` represents, for example, a split. */
export interface DisplayScale {
  readonly kind: 'interest' | 'multiplier';
  readonly factor: number;
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

export function toUiTokenAmount(amount: bigint, { decimals, scale }: MintDisplay): UiTokenAmount {
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

/**
 * Converts atoms to the amount that wallets display. A multiplier that no double can hold the amount of does not count.
 */
export function toDisplayedAmount(atoms: bigint, display: MintDisplay): number {
  if (display.scale === null) return toWholeTokens(atoms, display.decimals);
  return Number(formatDisplayedAmount(atoms, display));
}

/** Formats the amount that wallets display, see `toDisplayedAmount`. */
export function formatDisplayedAmount(atoms: bigint, display: MintDisplay): string {
  const { uiAmountString } = toUiTokenAmount(atoms, display);
  return Number.isFinite(Number(uiAmountString))
    ? uiAmountString
    : formatDecimalAmount(atoms, display.decimals);
}

/**
 * Converts a price per atom to one per displayed token.
 *
 * Returns null if the scale is such that no number can hold the price.
 */
export function computeDollarsPerToken(
  dollarsPerAtom: number,
  { decimals, scale }: MintDisplay,
): number | null {
  const usdPrice = (dollarsPerAtom * 10 ** decimals) / (scale?.factor ?? 1);
  return usdPrice > 0 && Number.isFinite(usdPrice) ? usdPrice : null;
}

/** Doubles hold whole numbers up to here exactly. */
const EXACT = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Converts atoms to whole tokens, without a scale, as the double that is nearest to the exact quotient.
 *
 * @example
 * ```ts
 * import { toWholeTokens } from './display-amount.ts';
 *
 * toWholeTokens(1_234_567n, 6); // 1.234567
 * ```
 */
export function toWholeTokens(atoms: bigint, decimals: number): number {
  // Both numbers are exact doubles here, and IEEE 754 rounds their quotient correctly.
  if (atoms <= EXACT && atoms >= -EXACT && decimals <= 22) return Number(atoms) / 10 ** decimals;
  return Number(`${atoms}e-${decimals}`);
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
export function computeInterestFactor(rates: InterestRates, unixTimestamp: bigint): number {
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

/** What a mint says about displayed amounts. */
export interface DisplayTerms {
  readonly interest: InterestRates | null;
  readonly scaled: {
    readonly multiplier: number;
    readonly newMultiplier: number;
    /** The Unix second from which `newMultiplier` replaces `multiplier`. */
    readonly newMultiplierEffectiveAt: number | bigint;
  } | null;
}

/** Returns the scale that is in force at a time in Unix seconds. */
export function computeScaleAt(
  { interest, scaled }: DisplayTerms,
  unixTimestamp: bigint,
): DisplayScale | null {
  if (interest !== null) return { kind: 'interest', factor: computeInterestFactor(interest, unixTimestamp) };
  if (scaled === null) return null;
  const factor = unixTimestamp >= scaled.newMultiplierEffectiveAt ? scaled.newMultiplier : scaled.multiplier;
  return { kind: 'multiplier', factor };
}

/**
 * Returns how to format amounts of a mint.
 *
 * @throws LayoutInvalid when an extension that affects the format is malformed.
 */
export function getMintDisplay({ decimals, extensions }: Mint, unixTimestamp: bigint): MintDisplay {
  const config = findScaledAmountConfig(extensions);
  const scaled =
    config === null ? null : { ...config, newMultiplierEffectiveAt: config.newMultiplierEffectiveTimestamp };
  return {
    decimals,
    scale: computeScaleAt({ interest: findInterestConfig(extensions), scaled }, unixTimestamp),
  };
}

/** Whether displayed amounts of the mint depend on the time. */
export function isScaled({ extensions }: Pick<Mint, 'extensions'>): boolean {
  return SCALES.some((type) => findExtension(extensions, type) !== null);
}

const SCALES = [ExtensionType.INTEREST_BEARING_CONFIG, ExtensionType.SCALED_UI_AMOUNT];

export interface InterestConfig extends InterestRates {
  readonly rateAuthority: Address | null;
}

export function findInterestConfig(extensions: readonly Extension[]): InterestConfig | null {
  const data = findExtension(extensions, ExtensionType.INTEREST_BEARING_CONFIG);
  if (data === null) return null;
  const reader = new ByteReader(data, 'interest-bearing config');
  return {
    rateAuthority: readMaybeAddress(reader),
    initializationTimestamp: reader.i64(),
    preUpdateAverageRate: reader.i16(),
    lastUpdateTimestamp: reader.i64(),
    currentRate: reader.i16(),
  };
}

export interface ScaledAmountConfig {
  readonly authority: Address | null;
  readonly multiplier: number;
  /** The time, in Unix seconds, from which `newMultiplier` applies. */
  readonly newMultiplierEffectiveTimestamp: bigint;
  readonly newMultiplier: number;
}

export function findScaledAmountConfig(extensions: readonly Extension[]): ScaledAmountConfig | null {
  const data = findExtension(extensions, ExtensionType.SCALED_UI_AMOUNT);
  if (data === null) return null;
  const reader = new ByteReader(data, 'scaled UI amount config');
  return {
    authority: readMaybeAddress(reader),
    multiplier: reader.f64(),
    newMultiplierEffectiveTimestamp: reader.i64(),
    newMultiplier: reader.f64(),
  };
}
