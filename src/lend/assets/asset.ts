import { findTokenByMint } from '../../solana/known-tokens.ts';
import type { Account } from '../../chain/accounts.ts';
import { decodeMintFacts } from '../../market/mint-facts.ts';
import { cachePerAccount } from '../../protocol/venue/once-per-account.ts';
import {
  type ScaledAmountConfig,
  findScaledAmountConfig,
} from '../../solana/programs/token/display-amount.ts';
import { decodeMint } from '../../solana/programs/token/mint.ts';
import type { Prices } from '../../market/prices/prices.ts';
import type { Address } from '../../solana/address.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';

/** What clients show of a token that is lent. */
export interface LendAsset {
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
  /** US dollars per whole token, before displayed amounts are scaled; null if no pool prices it. */
  readonly dollars: number | null;
  /** What the token earns by itself in a year, in hundredths of a percent; null if it is not known to earn anything. */
  readonly stakingApr: number | null;
  /** The validator with which the SOL behind the token is staked; null for every other token. */
  readonly nativeStakeVoteAccount: Address | null;
  /** How displayed amounts are scaled; null if they are not. */
  readonly scaledUiConfig: ScaledAmountConfig | null;
}

/** What assets are described by, beside the list of tokens. */
export interface AssetSources {
  readonly prices: Pick<Prices, 'dollarsPerAtom'>;
  readonly stakingAprOf: StakingAprOf;
}

/** Returns what a staked token earns by itself in a year, in hundredths of a percent; null if it is not known. */
export type StakingAprOf = (mint: Address) => number | null;

/** The mint of an asset. */
export interface AssetMint {
  readonly mint: Address;
  readonly decimals: number;
  readonly account: Account | null;
  readonly nativeStakeVoteAccount?: Address | null;
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
 */
export function describeLendAsset(
  { prices, stakingAprOf }: AssetSources,
  { mint, decimals, account, nativeStakeVoteAccount = null }: AssetMint,
): LendAsset {
  const listed = findTokenByMint(mint);
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
    stakingApr: stakingAprOf(mint),
    nativeStakeVoteAccount,
    scaledUiConfig: account === null ? null : scaledUiConfigOf(account),
  };
}

const scaledUiConfigOf = cachePerAccount((account): ScaledAmountConfig | null => {
  // A mint with a multiplier that is no positive number is shown as if it were not scaled.
  if ((decodeMintFacts(account)?.scaled ?? null) === null) return null;
  return findScaledAmountConfig(decodeMint(account.data).extensions);
});
