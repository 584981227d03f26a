import { tokenByMint } from '../../genesis/tokens.ts';
import type { Prices } from '../../market/prices/prices.ts';
import type { Address } from '../../solana/address.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';

/** What clients show of a token that is lent. */
export interface Asset {
  readonly mint: Address;
  readonly name: string;
  /** The symbol of the mint. For wrapped SOL it differs from the symbol that users see. */
  readonly symbol: string;
  readonly uiSymbol: string;
  readonly decimals: number;
  /** Empty if none is known. */
  readonly logoUrl: string;
  /** The name under which CoinGecko lists the token; empty if none is known. */
  readonly coingeckoId: string;
  /** US dollars per whole token; null if no pool prices it. */
  readonly dollars: number | null;
}

/** Source: coingecko.com, November 2025. */
const COINGECKO_IDS: Readonly<Record<string, string>> = {
  SOL: 'wrapped-solana',
  USDC: 'usd-coin',
  USDT: 'tether',
  EURC: 'euro-coin',
  PYUSD: 'paypal-usd',
  JUP: 'jupiter-exchange-solana',
  JitoSOL: 'jito-staked-sol',
  mSOL: 'msol',
  JupSOL: 'jupiter-staked-sol',
  cbBTC: 'coinbase-wrapped-btc',
  WETH: 'ethereum-wormhole',
};

/**
 * Describes a token as clients show it: with the names of the token list and the current price. A token that is not on
 * the list is named by its mint.
 *
 * @param decimals - The decimals of the mint.
 */
export function assetOf(prices: Pick<Prices, 'dollarsPerAtom'>, mint: Address, decimals: number): Asset {
  const listed = tokenByMint(mint);
  const perAtom = prices.dollarsPerAtom(mint);
  const uiSymbol = listed?.symbol ?? mint;
  return {
    mint,
    name: listed?.name ?? mint,
    symbol: mint === WRAPPED_SOL_MINT ? 'WSOL' : uiSymbol,
    uiSymbol,
    decimals,
    logoUrl: listed?.logoURI ?? '',
    coingeckoId: COINGECKO_IDS[uiSymbol] ?? '',
    dollars: perAtom === null ? null : perAtom * 10 ** decimals,
  };
}
