import type { InstanceAlert } from '../../api/alerts.ts';
import { formatDistance } from '../../base/format-distance.ts';
import { escapeInvisible } from '../../base/format-text.ts';
import { formatUtcTime } from '../../base/format-time.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Panel } from '../../parts/page.tsx';
import { usePageSearch } from '../../parts/page-search.ts';
import { useMinuteClock } from '../../parts/use-minute-clock.ts';
import { AlertRuleText } from './alert-card.tsx';
import { AlertChart } from './alert-chart.tsx';
import { describeCondition, formatLabels, formatReading, toRunbookUrl } from './alert-texts.ts';

/** Alerts that do not fire, a line each. The address says which one is open. */
export function AlertLines({
  caption,
  alerts,
  docs,
}: {
  readonly caption: string;
  readonly alerts: readonly InstanceAlert[];
  readonly docs: string;
}) {
  const [search, change] = usePageSearch();
  const now = useMinuteClock();
  const open = alerts.find(({ name }) => name === search.alert) ?? null;
  return (
    <div className="alerts__lines">
      <DataTable
        caption={caption}
        rows={alerts}
        rowKey={({ name }) => name}
        columns={[
          {
            heading: 'Alert',
            cell: ({ name }) => (
              <button
                type="button"
                className="alerts__open"
                aria-expanded={open?.name === name}
                onClick={() => change({ alert: open?.name === name ? null : name })}
              >
                {escapeInvisible(name)}
              </button>
            ),
          },
          { heading: 'Severity', cell: ({ severity }) => escapeInvisible(severity ?? 'none') },
          { heading: 'Now', cell: (alert) => describeNow(alert, now) },
          { heading: 'It fires', cell: (alert) => describeCondition(alert).replace(/^fires /, '') },
          {
            heading: 'Last fired',
            cell: ({ lastFiredAt }) =>
              lastFiredAt === null ? 'not since the start' : formatDistance(lastFiredAt, now),
          },
        ]}
      />
      {open === null ? null : <OpenAlert alert={open} docs={docs} />}
    </div>
  );
}

function OpenAlert({ alert, docs }: { readonly alert: InstanceAlert; readonly docs: string }) {
  const runbookUrl = toRunbookUrl(alert.runbook, docs);
  return (
    <Panel title={escapeInvisible(alert.name)}>
      {alert.reason === null ? <AlertChart alert={alert} /> : <p>{escapeInvisible(alert.reason.text)}</p>}
      {runbookUrl === null ? null : (
        <p>
          <a href={runbookUrl}>What it would mean, and what to do</a>
        </p>
      )}
      <AlertRuleText alert={alert} />
    </Panel>
  );
}

/** Says what is read now, or why nothing is known. */
function describeNow({ reason, readings, range, wholeFrom }: InstanceAlert, now: number): string {
  if (reason !== null) {
    const from =
      reason.from === null || reason.from <= now ? '' : ` Known from ${formatUtcTime(reason.from)} on.`;
    return `${escapeInvisible(reason.text)}${from}`;
  }
  const [nearest] = readings;
  const rest = readings.length > 1 ? ` and ${readings.length - 1} more` : '';
  const labels = nearest === undefined ? '' : formatLabels(nearest.labels);
  const value = nearest === undefined ? 'nothing to compare' : formatReading(nearest.value);
  const part =
    range > 0 && wholeFrom !== null && wholeFrom > now
      ? `; all of its range from ${formatUtcTime(wholeFrom)} on`
      : '';
  return `${value}${labels === '' ? '' : ` (${labels}${rest})`}${part}`;
}
