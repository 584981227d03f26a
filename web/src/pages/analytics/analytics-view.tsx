import './analytics.css';
import type { Scope } from '../../api/scope.ts';
import { Panel } from '../../parts/page.tsx';
import { usePageSearch } from '../../parts/page-search.ts';
import { RawAnswer } from '../../parts/raw-answer.tsx';
import { EmptyNote, ErrorNote, Loading } from '../../parts/status.tsx';
import { RangeChoice } from '../../parts/traffic/range-choice.tsx';
import { readTrafficRange, toRangeSearch } from '../../parts/traffic/traffic-range.ts';
import { TeamSelect } from '../../parts/traffic/owner-fields.tsx';
import { TrafficCharts } from './charts/traffic-charts.tsx';
import { useAnalytics } from './source/use-analytics.ts';
import { Breakdowns } from './tables/breakdowns.tsx';
import { TotalsPanel } from './totals/totals.tsx';

/** The analytics of an organisation, of a team of it, or of the instance. */
export function AnalyticsView({ scope }: { readonly scope: Scope }) {
  const [search, change] = usePageSearch();
  const range = readTrafficRange(search, '24h');
  const team = scope.kind === 'organisation' ? (search.team ?? '') : '';
  const { data, error, refetch, isPlaceholderData } = useAnalytics(scope, team, range);
  return (
    <>
      <Panel>
        <div className="analytics-head">
          <RangeChoice range={range} onChange={change} />
          {scope.kind === 'instance' ? null : (
            <TeamSelect
              organisation={scope.organisation}
              team={team}
              onChoose={(chosen) => change({ team: chosen })}
            />
          )}
        </div>
      </Panel>
      {error === null ? null : <ErrorNote error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null ? (
          <Loading what="analytics" />
        ) : null
      ) : (
        <div className="analytics-report" aria-busy={isPlaceholderData}>
          {data.report.total.requests === 0 ? (
            <EmptyNote>
              No request came in this range. Choose a longer one, or send a request in the playground: it is
              counted at once.
            </EmptyNote>
          ) : null}
          <TotalsPanel report={data.report} />
          <TrafficCharts report={data.report} />
          <Breakdowns
            report={data.report}
            scope={scope}
            search={{ ...toRangeSearch(range), ...(team === '' ? {} : { team }) }}
          />
          <RawAnswer raw={data.raw} />
        </div>
      )}
    </>
  );
}
