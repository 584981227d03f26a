import { useQuery } from '@tanstack/react-query';
import { callApi } from '../../../api/call.ts';
import { parseRouteAnswer, type RouteAnswer } from './route-answer.ts';

/** An answer with the time that it took to arrive. */
export interface TimedAnswer {
  readonly answer: RouteAnswer;
  /** Milliseconds from the request to the whole answer, as the browser saw them. */
  readonly waitedMs: number;
}

/** How often a quote is asked for again while it is watched. */
export const REFRESH_MS = 5_000;

/** Asks for a quote. @throws as `callApi`, and Error if the answer has another form */
export async function fetchRoute(path: string): Promise<TimedAnswer> {
  const began = performance.now();
  const body = await callApi<unknown>(path);
  return { answer: parseRouteAnswer(body), waitedMs: Math.round(performance.now() - began) };
}

/**
 * Asks for the quote of the page, and while it is watched again and again as long as the page can be seen.
 *
 * @param path - Null: there is nothing to ask yet.
 */
export function useRouteQuote(path: string | null, isWatched: boolean) {
  return useQuery({
    queryKey: ['route-quote', path],
    queryFn: () => fetchRoute(path ?? ''),
    enabled: path !== null,
    // After a refusal nothing is asked again unless the reader asks.
    refetchInterval: ({ state }) => (isWatched && state.status !== 'error' ? REFRESH_MS : false),
  });
}
