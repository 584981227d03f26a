import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { callApi } from './call.ts';
import { isSandbox, useInstance } from './instance.ts';
import { callRpc } from './network.ts';
import { usePace } from './pace.ts';
import { isAddress } from '../base/is-address.ts';
import { shortenAddress, shortenName } from '../base/format-text.ts';
import { SOL_MINT } from '../base/mints.ts';
import { type FindMarket, parsePrice } from '../base/market-price.ts';

/** What the page shows of a token. Names are texts that anybody may have chosen. */
export interface TokenInfo {
  readonly mint: string;
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
  readonly isVerified: boolean;
}

/** Tokens that may be asked for at once. */
const MAX_MINTS = 50;
const MAX_DECIMALS = 30;
const MAX_SYMBOL = 16;
const MAX_NAME = 48;
/** Tokens whose decimals are read from the network, one call for each. */
const MAX_UNLISTED = 4;
const NO_DECIMALS: ReadonlyMap<string, number | null> = new Map();
const PRICE_REFRESH_MS = 5_000;
/** Tokens that a search shows. */
const MAX_FOUND = 30;

/** What is known of the tokens that a page shows. */
export interface KnownTokens {
  readonly find: (mint: string) => TokenInfo | null;
  /** The symbol, with the shortened address where the token is not verified, or that alone where there is none. */
  readonly getSymbol: (mint: string) => string;
  readonly findMarket: FindMarket;
  /** Whether decimals and prices have been asked for. */
  readonly isLoaded: boolean;
}

/**
 * Reads symbols, decimals and prices of tokens. The price of SOL is read too, because the network is paid in it.
 *
 * @param isWatched - Whether the prices are read again and again, beside quotes that are. Default: false.
 */
export function useKnownTokens(mints: readonly string[], isWatched = false): KnownTokens {
  const asked = useMemo(() => sortMints([...mints, SOL_MINT]), [mints]);
  const pace = usePace(PRICE_REFRESH_MS);
  const infos = useQuery({
    queryKey: ['token-infos', asked],
    queryFn: () => fetchTokens(`/tokens/v2/search?${new URLSearchParams({ query: asked.join(',') })}`),
    staleTime: 60_000,
    placeholderData: (before) => before,
  });
  const prices = useQuery({
    queryKey: ['token-prices', asked],
    queryFn: () =>
      callApi<Record<string, { usdPrice?: unknown; decimals?: unknown }>>(
        `/price/v3?${new URLSearchParams({ ids: asked.join(',') })}`,
      ),
    staleTime: 4_000,
    refetchInterval: isWatched ? pace : false,
    placeholderData: (before) => before,
  });
  const isListed = !infos.isPending && !infos.isPlaceholderData;
  const isPriced = !prices.isPending && !prices.isPlaceholderData;
  const unlisted = useUnlistedDecimals(isListed ? findUnlisted(asked, infos.data ?? []) : []);
  const isLoaded = isListed && isPriced && !unlisted.isLoading;
  return useMemo(() => {
    const byMint = new Map((infos.data ?? []).map((info) => [info.mint, info]));
    const find = (mint: string) => byMint.get(mint) ?? null;
    const findPrice = (mint: string) =>
      prices.data !== undefined && Object.hasOwn(prices.data, mint) ? prices.data[mint] : undefined;
    const findDecimals = (mint: string) =>
      find(mint)?.decimals ?? toDecimals(findPrice(mint)?.decimals) ?? unlisted.data.get(mint) ?? null;
    return {
      find,
      getSymbol: (mint) => nameKnownToken(find(mint), mint),
      findMarket: (mint) => ({
        decimals: findDecimals(mint),
        price: parsePrice(findPrice(mint)?.usdPrice),
      }),
      isLoaded,
    };
  }, [infos.data, prices.data, unlisted.data, isLoaded]);
}

/** Anybody may give a token the symbol of another one. */
export function nameKnownToken(info: TokenInfo | null, mint: string): string {
  const address = shortenAddress(mint);
  if (info === null || info.symbol === address) return address;
  return info.isVerified ? info.symbol : `${info.symbol} ${address}`;
}

function findUnlisted(mints: readonly string[], infos: readonly TokenInfo[]): readonly string[] {
  return mints.filter((mint) => !infos.some((info) => info.mint === mint));
}

/** Reads the decimals of tokens that no list has, such as those of forecasts, from the network that Sluice carries. */
function useUnlistedDecimals(mints: readonly string[]) {
  const { data: instance, isPending } = useInstance();
  const asked = mints.slice(0, MAX_UNLISTED);
  const { data = NO_DECIMALS, isLoading } = useQuery({
    queryKey: ['mint-decimals', asked],
    queryFn: async () => {
      const found = await Promise.all(asked.map(async (mint) => [mint, await fetchDecimals(mint)] as const));
      return new Map(found);
    },
    enabled: isSandbox(instance) && asked.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return { data, isLoading: isLoading || (isPending && asked.length > 0) };
}

/** The decimals of a mint; null if it is none, or cannot be read. */
async function fetchDecimals(mint: string): Promise<number | null> {
  try {
    const { value } = await callRpc<{ readonly value: { readonly decimals?: unknown } }>('getTokenSupply', [
      mint,
    ]);
    return toDecimals(value.decimals);
  } catch {
    return null;
  }
}

/** Searches tokens by symbol, name or mint; without a text it lists those that are verified. */
export function useTokenSearch(text: string, isOpen: boolean) {
  const query = text.trim();
  return useQuery({
    queryKey: ['token-search', query],
    queryFn: async () => {
      const path =
        query === ''
          ? '/tokens/v2/tag?query=verified'
          : `/tokens/v2/search?${new URLSearchParams({ query: query.replaceAll(',', ' ') })}`;
      return (await fetchTokens(path)).slice(0, MAX_FOUND);
    },
    enabled: isOpen,
    staleTime: 30_000,
    placeholderData: (before) => before,
  });
}

async function fetchTokens(path: string): Promise<readonly TokenInfo[]> {
  const body = await callApi<unknown>(path);
  return Array.isArray(body) ? body.flatMap((entry) => parseToken(entry) ?? []) : [];
}

/** Reads one token of an answer; null if it is none. */
export function parseToken(entry: unknown): TokenInfo | null {
  if (typeof entry !== 'object' || entry === null) return null;
  const { id, symbol, name, decimals, isVerified } = entry as Record<string, unknown>;
  const places = toDecimals(decimals);
  if (typeof id !== 'string' || !isAddress(id) || places === null) return null;
  return {
    mint: id,
    symbol: readName(symbol, MAX_SYMBOL) || shortenAddress(id),
    name: readName(name, MAX_NAME) || 'Token without a name',
    decimals: places,
    isVerified: isVerified === true,
  };
}

function readName(text: unknown, length: number): string {
  return typeof text === 'string' ? shortenName(text, length) : '';
}

function toDecimals(decimals: unknown): number | null {
  const isWhole = typeof decimals === 'number' && Number.isInteger(decimals);
  return isWhole && decimals >= 0 && decimals <= MAX_DECIMALS ? decimals : null;
}

function sortMints(mints: readonly string[]): readonly string[] {
  return [...new Set(mints.filter(isAddress))].sort().slice(0, MAX_MINTS);
}
