import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useCredentialGeneration } from '../../../api/credentials.ts';
import { fetchRaw } from '../../../api/raw-query.ts';
import { readAnswer } from '../../../api/read-answer.ts';
import { type Scope, toScopePath } from '../../../api/scope.ts';
import { toRangeQuery, type TrafficRange } from '../../../parts/traffic/traffic-range.ts';
import { readLogPage } from './log-shapes.ts';
import { formatLogQuery, type LogFilters } from './log-search.ts';

const PAGE_SIZE = 100;

/** The pages of the log that were read, the newest first. */
export function useLogPages(scope: Scope, filters: LogFilters, range: TrafficRange) {
  const generation = useCredentialGeneration();
  return useInfiniteQuery({
    queryKey: ['log', scope, filters, range, generation],
    initialPageParam: null as LogPlace | null,
    queryFn: async ({ pageParam, signal }) => {
      // Further pages continue in the range of the first one, though the clock goes on.
      const times = pageParam?.times ?? toRangeQuery(range, Date.now());
      const query = formatLogQuery(filters, {
        ...times,
        limit: PAGE_SIZE,
        cursor: pageParam?.cursor,
      });
      const raw = await fetchRaw(`${toScopePath(scope, '/log')}?${query}`, 'admin', signal);
      return { raw, times, page: readAnswer('the request log', readLogPage, raw.answer) };
    },
    getNextPageParam: ({ page: { next }, times }) => (next === null ? null : { cursor: next, times }),
  });
}

interface LogPlace {
  readonly cursor: string;
  readonly times: { readonly since: number; readonly until?: number };
}

/** One request by its id, whenever it was; null if the log has none. @param requestId - Null: none is asked for. */
export function useLoggedRequest(scope: Scope, requestId: string | null) {
  const generation = useCredentialGeneration();
  return useQuery({
    queryKey: ['log-request', scope, requestId, generation],
    queryFn: async ({ signal }) => {
      const query = formatLogQuery({ requestId: requestId ?? '' }, { since: 0, limit: 1 });
      const raw = await fetchRaw(`${toScopePath(scope, '/log')}?${query}`, 'admin', signal);
      return readAnswer('the request log', readLogPage, raw.answer).entries[0] ?? null;
    },
    enabled: requestId !== null,
  });
}
