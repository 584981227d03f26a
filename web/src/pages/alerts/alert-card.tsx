import type { InstanceAlert } from '../../api/alerts.ts';
import { formatDistance } from '../../base/format-distance.ts';
import { escapeInvisible } from '../../base/format-text.ts';
import { formatUtcTime, toMachineTime } from '../../base/format-time.ts';
import { Badge } from '../../parts/badge.tsx';
import { Disclosure } from '../../parts/disclosure.tsx';
import { Panel } from '../../parts/page.tsx';
import { useMinuteClock } from '../../parts/use-minute-clock.ts';
import { AlertChart } from './alert-chart.tsx';
import { describeCondition, formatLabels, formatReading, toRunbookUrl } from './alert-texts.ts';

/** Series of an alert that are shown at once. */
const SHOWN = 5;

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
      <ActiveList active={active.slice(0, SHOWN)} forMs={alert.for} />
      {activeCount <= SHOWN ? null : (
        <Disclosure summary={`and ${activeCount - SHOWN} more`}>
          <ActiveList active={active.slice(SHOWN)} forMs={alert.for} />
          {activeCount > active.length ? (
            <p>{activeCount - active.length} further ones are not listed.</p>
          ) : null}
        </Disclosure>
      )}
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
    <Disclosure summary={`It fires ${describeCondition(alert)}`}>
      <code className="alerts__expression">{escapeInvisible(alert.expression)}</code>
    </Disclosure>
  );
}

function ActiveList({ active, forMs }: { readonly active: InstanceAlert['active']; readonly forMs: number }) {
  return (
    <ul className="alerts__active">
      {active.map((one) => (
        <ActiveLine key={JSON.stringify(one.labels)} active={one} forMs={forMs} />
      ))}
    </ul>
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
        <time dateTime={toMachineTime(since)}>{formatUtcTime(since)}</time>, {formatDistance(since, now)}
        {active.state === 'firing'
          ? ''
          : `; fires ${formatDistance(active.activeAt + forMs, now)} if it lasts`}
        . Value {formatReading(active.value)}
        {labels === '' ? '' : `, ${labels}`}.
      </p>
    </li>
  );
}
