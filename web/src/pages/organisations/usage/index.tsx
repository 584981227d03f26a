import '../../../parts/manage/manage.css';
import { formatWhole } from '../../../base/format-amount.ts';
import { shortenName } from '../../../base/format-text.ts';
import { formatUtcTime } from '../../../base/format-time.ts';
import { ChoiceBar } from '../../../parts/choice-bar.tsx';
import { ManageFrame } from '../../../parts/manage/manage-frame.tsx';
import { useOrganisationScope } from '../../../parts/manage/use-organisation-scope.ts';
import { Stat, StatList } from '../../../parts/stat.tsx';
import { ErrorNote, Loading } from '../../../parts/status.tsx';
import { Panel } from '../../../parts/page.tsx';
import { TeamSelect } from '../../../parts/traffic/owner-fields.tsx';
import { formatPercentage } from '../../../parts/traffic/traffic-text.ts';
import { fillDays, type UsageRow } from './fill-days.ts';
import { MonthsPanel } from './months-panel.tsx';
import { USAGE_PARTS, USAGE_RANGES, useUsageChoice } from './usage-range.ts';
import { UsageCharts, UsageTable } from './usage-charts.tsx';
import { useUsage } from './use-usage.ts';

/** What an organisation has sent, and which credits that cost. */
export function UsagePage() {
  const scope = useOrganisationScope();
  const name = shortenName(scope.organisation, 48);
  return (
    <ManageFrame
      scope={scope}
      title={`Usage of ${name}`}
      lead="Exact counts of requests, errors and credits, by day, key and endpoint."
      what={`The counts of ${name}`}
    >
      <Usage key={scope.organisation} organisation={scope.organisation} />
    </ManageFrame>
  );
}

function Usage({ organisation }: { readonly organisation: string }) {
  const [choice, change] = useUsageChoice();
  const { data, error, refetch, since, until } = useUsage(organisation, choice);
  const { by, range, team } = choice;
  const rows = data === undefined ? [] : by === 'day' ? fillDays(data.rows, since, until) : data.rows;
  return (
    <>
      <div className="manage-bar">
        <ChoiceBar
          label="Range"
          choices={USAGE_RANGES.map(([id, label]) => [id, label] as const)}
          chosen={range}
          onChoose={(id) => change({ range: id })}
        />
        <ChoiceBar
          label="Added up"
          choices={USAGE_PARTS}
          chosen={by}
          onChoose={(part) => change({ by: part })}
        />
        <TeamSelect organisation={organisation} team={team} onChoose={(slug) => change({ team: slug })} />
      </div>
      {error === null ? null : <ErrorNote error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null ? (
          <Loading what="the usage" />
        ) : null
      ) : (
        <>
          <Totals rows={data.rows} since={since} />
          <UsageCharts organisation={organisation} by={by} rows={rows} />
          <MonthsPanel months={data.months} current={data.month} />
          <UsageTable organisation={organisation} by={by} rows={data.rows} />
        </>
      )}
    </>
  );
}

function Totals({ rows, since }: { readonly rows: readonly UsageRow[]; readonly since: number }) {
  const sum = (measure: 'requests' | 'errors' | 'credits') =>
    rows.reduce((total, row) => total + row[measure], 0);
  const [requests, errors] = [sum('requests'), sum('errors')];
  return (
    <Panel>
      <StatList>
        <Stat label="Requests" value={formatWhole(requests)} note={`since ${formatUtcTime(since)}`} />
        <Stat
          label="Errors"
          value={formatWhole(errors)}
          note={requests === 0 ? 'no requests' : `${formatPercentage(errors / requests)} of the requests`}
        />
        <Stat label="Credits" value={formatWhole(sum('credits'))} note="in this range" />
      </StatList>
    </Panel>
  );
}
