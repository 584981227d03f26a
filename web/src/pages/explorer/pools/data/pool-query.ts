import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ApiError, callApi, isRefusedForGood } from '../../../../api/call.ts';
import { usePace } from '../../../../api/pace.ts';
import { readPool, readPoolList, readPoolQuote } from './pool-shape.ts';

const POOLS = '/portal/data/pools';
const PAGE = 200;
/** How often a page that is seen reads a sandbox again. */
const REFRESH_MS = 3_000;

/** Which pools are listed. Empty texts do not matter. */
export interface PoolListFilter {
  readonly query: string;
  readonly venue: string;
}

/** Reads the list of pools, page by page, and again while it is looked at. */
export function usePools({ query, venue }: PoolListFilter) {
  return useInfiniteQuery({
    queryKey: ['pools', query, venue],
    queryFn: async ({ pageParam, signal }) => {
      const asked = new URLSearchParams({ query, venue, cursor: pageParam, limit: String(PAGE) });
      for (const [name, value] of [...asked]) if (value === '') asked.delete(name);
      return readPoolList(await callApi(`${POOLS}?${asked}`, { signal }));
    },
    initialPageParam: '',
    getNextPageParam: ({ cursor }) => cursor,
    placeholderData: keepPreviousData,
    refetchInterval: usePace(REFRESH_MS),
  });
}

/** Reads a pool, and again while it is looked at. */
export function usePool(address: string) {
  const pace = usePace(REFRESH_MS);
  return useQuery({
    queryKey: ['pool', address],
    queryFn: async ({ signal }) =>
      readPool(await callApi(`${POOLS}/${encodeURIComponent(address)}`, { signal })),
    refetchInterval: ({ state }) => (isRefusedForGood(state.error) ? false : pace),
    retry: false,
  });
}

/** Whether the server refused with the status. */
export function isRefused(error: unknown, status: number): boolean {
  return error instanceof ApiError && error.status === status;
}

/**
 * Asks what the pool alone pays for an amount.
 *
 * @param amount - In smallest units; null: nothing is asked.
 * @param revision - Of the pool's depth: another one asks again.
 */
export function usePoolQuote(address: string, inputMint: string, amount: bigint | null, revision: number) {
  return useQuery({
    queryKey: ['pool-quote', address, inputMint, String(amount), revision],
    queryFn: async ({ signal }) => {
      const asked = new URLSearchParams({ inputMint, amount: String(amount) });
      const path = `${POOLS}/${encodeURIComponent(address)}/quote?${asked}`;
      return readPoolQuote(await callApi(path, { signal }));
    },
    enabled: amount !== null,
    retry: false,
    gcTime: 30_000,
    placeholderData: keepPreviousData,
  });
}
