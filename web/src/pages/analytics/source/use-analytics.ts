import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCredentialGeneration } from '../../../api/credentials.ts';
import { fetchRaw } from '../../../api/raw-query.ts';
import { readAnswer } from '../../../api/read-answer.ts';
import { type Scope, toScopePath } from '../../../api/scope.ts';
import { toRangeQuery, type TrafficRange } from '../../../parts/traffic/traffic-range.ts';
import { readAnalyticsReport } from './analytics-shapes.ts';

const REFRESH_MS = 60_000;

/** The analytics of a range. A range that ends now is read again each minute. @param team - Empty: all teams. */
export function useAnalytics(scope: Scope, team: string, range: TrafficRange) {
  const generation = useCredentialGeneration();
  const isOpen = range.kind === 'preset' || range.until === null;
  return useQuery({
    queryKey: ['analytics', scope, team, range, generation],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams(
        Object.entries({ ...toRangeQuery(range, Date.now()), ...(team === '' ? {} : { team }) }).map(
          ([name, value]) => [name, String(value)],
        ),
      );
      const raw = await fetchRaw(`${toScopePath(scope, '/analytics')}?${query}`, 'admin', signal);
      return { raw, report: readAnswer('the analytics', readAnalyticsReport, raw.answer) };
    },
    refetchInterval: isOpen ? REFRESH_MS : false,
    placeholderData: keepPreviousData,
  });
}
