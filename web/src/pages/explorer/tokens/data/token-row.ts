import type { ExactJson } from '../../../../base/exact-json.ts';
import { shortenName } from '../../../../base/format-text.ts';
import { isAddress } from '../../../../base/is-address.ts';
import { getFixed, getMember, getText, getWhole, isFlagSet } from '../../../../base/read-json.ts';

/** How many digits of a price stand behind the point. */
export const PRICE_PLACES = 18;
/** Of amounts of dollars that are only shown. */
export const DOLLAR_PLACES = 9;
const MAX_SYMBOL = 16;
const MAX_NAME = 48;

/** What a list or a page shows of a token. Names are texts that anybody may have chosen. */
export interface TokenRow {
  readonly mint: string;
  readonly symbol: string | null;
  readonly name: string | null;
  readonly decimals: number;
  readonly isVerified: boolean;
  /** Dollars with `PRICE_PLACES`; null where no pool prices it. */
  readonly price: bigint | null;
  /** Hundredths of a percent, within a day. */
  readonly change: bigint | null;
  /** Dollars with `DOLLAR_PLACES`. */
  readonly liquidity: bigint | null;
  readonly marketCap: bigint | null;
  readonly volume: bigint | null;
  readonly holders: bigint | null;
  /** Whole tokens with `DOLLAR_PLACES`. */
  readonly supply: bigint | null;
  readonly mintAuthority: string | null;
  readonly freezeAuthority: string | null;
  readonly launchpad: string | null;
}

/** Reads a token of an answer; null if it is none. */
export function readTokenRow(token: ExactJson | undefined): TokenRow | null {
  const mint = getText(token, 'id');
  const decimals = getWhole(token, 'decimals');
  if (mint === null || !isAddress(mint) || decimals === null || decimals < 0n || decimals > 30n) return null;
  const day = getMember(token, 'stats24h');
  const bought = getFixed(day, 'buyVolume', DOLLAR_PLACES);
  const sold = getFixed(day, 'sellVolume', DOLLAR_PLACES);
  return {
    mint,
    symbol: readName(token, 'symbol', MAX_SYMBOL),
    name: readName(token, 'name', MAX_NAME),
    decimals: Number(decimals),
    isVerified: isFlagSet(token, 'isVerified'),
    price: getFixed(token, 'usdPrice', PRICE_PLACES),
    change: getFixed(day, 'priceChange', 2),
    liquidity: getFixed(token, 'liquidity', DOLLAR_PLACES),
    marketCap: getFixed(token, 'mcap', DOLLAR_PLACES),
    volume: bought === null && sold === null ? null : (bought ?? 0n) + (sold ?? 0n),
    holders: getWhole(token, 'holderCount'),
    supply: getFixed(token, 'totalSupply', DOLLAR_PLACES),
    mintAuthority: readAddress(token, 'mintAuthority'),
    freezeAuthority: readAddress(token, 'freezeAuthority'),
    launchpad: readName(token, 'launchpad', MAX_NAME),
  };
}

function readName(token: ExactJson | undefined, member: string, length: number): string | null {
  const text = getText(token, member);
  return text === null ? null : shortenName(text, length) || null;
}

function readAddress(token: ExactJson | undefined, member: string): string | null {
  const text = getText(token, member);
  return text !== null && isAddress(text) ? text : null;
}
