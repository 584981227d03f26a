import type { ExactJson } from '../../../../base/exact-json.ts';
import { shortenAddress, shortenName } from '../../../../base/format-text.ts';
import { isAddress } from '../../../../base/is-address.ts';
import {
  getCoordinate,
  getFixed,
  getMember,
  getText,
  getWhole,
  listItems,
} from '../../../../base/read-json.ts';

/** Digits behind the point of prices in US dollars. */
export const DOLLAR_PRICE_PLACES = 18;

const MAX_SYMBOL = 16;
const MAX_DECIMALS = 30;
/** Rates are in hundredths of a percent: with so many digits behind the point they are millionths. */
const RATE_PLACES = 2;

/** A token that is lent, borrowed or given as security. */
export interface LendToken {
  readonly mint: string;
  readonly symbol: string;
  readonly decimals: number;
  /** US dollars for one whole token. */
  readonly price: bigint | null;
}

/** A token that can be deposited, and what that earns. Amounts are in its smallest units, rates in millionths a year. */
export interface EarnToken {
  readonly token: LendToken;
  readonly receiptMint: string;
  readonly receiptSymbol: string;
  readonly deposited: bigint | null;
  readonly withdrawable: bigint | null;
  readonly supplyRate: bigint | null;
  readonly rewardsRate: bigint | null;
  readonly totalRate: bigint | null;
  /** What one whole receipt token is worth. */
  readonly receiptWorth: bigint | null;
}

/** What a wallet has deposited of a token. */
export interface EarnPosition {
  readonly earn: EarnToken;
  /** Receipt tokens. */
  readonly shares: bigint;
  /** What they are worth now. */
  readonly worth: bigint;
  /** What the wallet has of the token outside. */
  readonly balance: bigint | null;
}

/** What a wallet has earned with a token. */
export interface EarnedAmount {
  readonly earned: bigint;
  /** ISO time at which the history begins; null if it has none. */
  readonly since: string | null;
}

/** Reads the list of tokens that can be deposited. An entry without a mint or decimals is left out. */
export function readEarnTokens(body: ExactJson | undefined): readonly EarnToken[] {
  return listItems(body).flatMap((entry) => readEarnToken(entry) ?? []);
}

/** Reads what a wallet has deposited; tokens of which it has nothing are left out. */
export function readEarnPositions(body: ExactJson | undefined): readonly EarnPosition[] {
  return listItems(body).flatMap((entry) => {
    const earn = readEarnToken(getMember(entry, 'token') ?? null);
    const shares = getWhole(entry, 'shares');
    const worth = getWhole(entry, 'underlyingAssets');
    if (earn === null || shares === null || worth === null || shares <= 0n) return [];
    return [{ earn, shares, worth, balance: getWhole(entry, 'underlyingBalance') }];
  });
}

/** Reads what a wallet has earned, by the mint that was deposited. */
export function readEarnings(body: ExactJson | undefined): ReadonlyMap<string, EarnedAmount> {
  const earnings = new Map<string, EarnedAmount>();
  for (const entry of listItems(body)) {
    const mint = getText(entry, 'address');
    const earned = getWhole(entry, 'earnings');
    if (mint !== null && earned !== null) earnings.set(mint, { earned, since: getText(entry, 'since') });
  }
  return earnings;
}

/** Reads a token of an answer about lending; null without a mint or decimals, because no amount could be shown. */
export function readLendToken(entry: ExactJson | undefined): LendToken | null {
  const mint = getText(entry, 'address');
  const decimals = getCoordinate(entry, 'decimals');
  if (mint === null || !isAddress(mint) || decimals === null) return null;
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > MAX_DECIMALS) return null;
  const name = getText(entry, 'uiSymbol') ?? getText(entry, 'symbol') ?? '';
  const price = getFixed(entry, 'price', DOLLAR_PRICE_PLACES);
  return {
    mint,
    symbol: shortenName(name, MAX_SYMBOL) || shortenAddress(mint),
    decimals,
    price: price !== null && price > 0n ? price : null,
  };
}

/** Reads a yearly rate, in millionths. */
export function readYearlyRate(entry: ExactJson | undefined, name: string): bigint | null {
  return getFixed(entry, name, RATE_PLACES);
}

/** Computes the value of an amount in nano dollars; null without a price. */
export function computeLendValue(amount: bigint | null, { price, decimals }: LendToken): bigint | null {
  if (amount === null || price === null) return null;
  return (amount * price) / 10n ** BigInt(decimals + DOLLAR_PRICE_PLACES - 9);
}

function readEarnToken(entry: ExactJson): EarnToken | null {
  const token = readLendToken(getMember(entry, 'asset'));
  const receiptMint = getText(entry, 'address');
  if (token === null || receiptMint === null || !isAddress(receiptMint)) return null;
  return {
    token,
    receiptMint,
    receiptSymbol: shortenName(getText(entry, 'symbol') ?? '', MAX_SYMBOL) || shortenAddress(receiptMint),
    deposited: getWhole(entry, 'totalAssets'),
    withdrawable: getWhole(getMember(entry, 'liquiditySupplyData'), 'withdrawable'),
    supplyRate: readYearlyRate(entry, 'supplyRate'),
    rewardsRate: readYearlyRate(entry, 'rewardsRate'),
    totalRate: readYearlyRate(entry, 'totalRate'),
    receiptWorth: getWhole(entry, 'convertToAssets'),
  };
}
