import type { InstanceAlert } from '../../api/alerts.ts';
import { formatDistance } from '../../base/format-distance.ts';
import { formatUtcTime } from '../../base/format-time.ts';
import { escapeInvisible } from '../../base/format-text.ts';
import { Badge } from '../../parts/badge.tsx';
import { Disclosure } from '../../parts/disclosure.tsx';
import { Panel } from '../../parts/page.tsx';
import { useMinuteClock } from '../../parts/use-minute-clock.ts';
import { AlertChart } from './alert-chart.tsx';
import { describeCondition, formatLabels, formatReading, toRunbookUrl } from './alert-texts.ts';

/** An alert that fires or is pending: what is wrong, since when, and what to do. */
export function AlertCard({ alert, docs }: { readonly alert: InstanceAlert; readonly docs: string }) {
  const { name, state, severity, active, activeCount, runbook } = alert;
  const runbookUrl = toRunbookUrl(runbook, docs);
  return (
    <Panel
      title={escapeInvisible(name)}
      aside={
        <span className="alerts__badges">
          <Badge tone={state === 'firing' ? 'danger' : 'warning'}>{state}</Badge>
          {severity === null ? null : (
            <Badge tone={severity === 'critical' ? 'danger' : 'plain'}>{escapeInvisible(severity)}</Badge>
          )}
        </span>
      }
    >
      <ul className="alerts__active">
        {active.map((one) => (
          <ActiveLine key={JSON.stringify(one.labels)} active={one} forMs={alert.for} />
        ))}
        {activeCount > active.length ? <li>and {activeCount - active.length} more</li> : null}
      </ul>
      {runbookUrl === null ? null : (
        <p>
          <a href={runbookUrl}>What it means, where to look, and what to do</a>
        </p>
      )}
      <AlertChart alert={alert} />
      <AlertRuleText alert={alert} />
    </Panel>
  );
}

/** The rule of an alert in words, and on request as it is written. */
export function AlertRuleText({ alert }: { readonly alert: InstanceAlert }) {
  return (
    <Disclosure summary={`It ${describeCondition(alert)}`}>
      <code className="alerts__expression">{escapeInvisible(alert.expression)}</code>
    </Disclosure>
  );
}

function ActiveLine({
  active,
  forMs,
}: {
  readonly active: InstanceAlert['active'][number];
  readonly forMs: number;
}) {
  const now = useMinuteClock();
  const labels = formatLabels(active.labels);
  const since = active.firingAt ?? active.activeAt;
  return (
    <li>
      <p className="alerts__text">{escapeInvisible(active.summary)}</p>
      <p className="alerts__facts">
        {active.state === 'firing' ? 'Fires since ' : 'Holds since '}
        <time dateTime={new Date(since).toISOString()}>{formatUtcTime(since)}</time>,{' '}
        {formatDistance(since, now)}
        {active.state === 'firing'
          ? ''
          : `; fires ${formatDistance(active.activeAt + forMs, now)} if it lasts`}
        . Value {formatReading(active.value)}
        {labels === '' ? '' : `, ${labels}`}.
      </p>
    </li>
  );
}
