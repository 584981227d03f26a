import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useCredentialGeneration } from '../../../api/credentials.ts';
import { type BidResult, isKeyRefused, type MakerSource } from './maker-source.ts';

/** The key of a maker allows a request each second, and a page asks for several things. */
const BOOKS_MS = 3_000;
const STATUS_MS = 5_000;
const CONDUCT_MS = 10_000;
const BIDS_MS = 5_000;

/** Reads a maker again and again while the page is visible. */
export function useMakerStatus(source: MakerSource) {
  return useQuery({
    queryKey: useMakerQueryKey(source, 'status'),
    queryFn: source.readStatus,
    refetchInterval: (query) => repeat(STATUS_MS, query.state.error),
  });
}

/** Reads the live books of a maker, and when they were read. */
export function useMakerBooks(source: MakerSource) {
  return useQuery({
    queryKey: useMakerQueryKey(source, 'books'),
    queryFn: async () => ({ ...(await source.readBooks()), readAt: performance.now() }),
    refetchInterval: (query) => repeat(BOOKS_MS, query.state.error),
    // The age counts from here even where the book is the same.
    structuralSharing: false,
  });
}

/** Reads what a maker did in the last so many milliseconds. */
export function useMakerConduct(source: MakerSource, rangeMs: number) {
  return useQuery({
    queryKey: useMakerQueryKey(source, 'conduct', rangeMs),
    queryFn: () => source.readConduct(Date.now() - rangeMs),
    refetchInterval: (query) => repeat(CONDUCT_MS, query.state.error),
    placeholderData: keepPreviousData,
  });
}

/** Reads the orders of a maker page by page, newest first. They are read again by themselves until a further page is asked for. */
export function useMakerBids(source: MakerSource, result: BidResult) {
  const [isLive, setLive] = useState(true);
  const query = useInfiniteQuery({
    queryKey: useMakerQueryKey(source, 'bids', result),
    queryFn: ({ pageParam }) => source.readBids(result, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ value }) => value.next,
    refetchInterval: (query) => isLive && repeat(BIDS_MS, query.state.error),
    placeholderData: keepPreviousData,
  });
  const readOn = () => {
    // What lies below would move while new rows come.
    setLive(false);
    void query.fetchNextPage();
  };
  return { ...query, isLive, setLive, readOn };
}

/** A key that was refused is not sent again and again. */
function repeat(everyMs: number, error: unknown): number | false {
  return isKeyRefused(error) ? false : everyMs;
}

/** A new credential asks again. It does not stand in the key itself. */
function useMakerQueryKey(source: MakerSource, ...rest: readonly unknown[]): readonly unknown[] {
  return ['makers', source.scope, useCredentialGeneration(), ...rest];
}
