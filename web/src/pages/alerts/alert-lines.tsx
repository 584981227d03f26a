import type { InstanceAlert } from '../../api/alerts.ts';
import { formatDistance } from '../../base/format-distance.ts';
import { escapeInvisible } from '../../base/format-text.ts';
import { formatUtcTime } from '../../base/format-time.ts';
import { usePageSearch } from '../../parts/page-search.ts';
import { useMinuteClock } from '../../parts/use-minute-clock.ts';
import { AlertRuleText } from './alert-card.tsx';
import { AlertChart } from './alert-chart.tsx';
import { describeCondition, formatLabels, formatReading, toRunbookUrl } from './alert-texts.ts';

/** Alerts that do not fire, a line each. The address says which one is open. */
export function AlertLines({
  label,
  alerts,
  docs,
}: {
  /** What the list has, for screen readers. */
  readonly label: string;
  readonly alerts: readonly InstanceAlert[];
  readonly docs: string;
}) {
  const [{ alert: chosen }, change] = usePageSearch();
  return (
    <ul className="alerts__list" aria-label={label}>
      {alerts.map((alert) => (
        <li key={alert.name}>
          <AlertLine
            alert={alert}
            isOpen={alert.name === chosen}
            onToggle={() => change({ alert: alert.name === chosen ? null : alert.name })}
          />
          {alert.name === chosen ? <OpenAlert alert={alert} docs={docs} /> : null}
        </li>
      ))}
    </ul>
  );
}

function AlertLine({
  alert,
  isOpen,
  onToggle,
}: {
  readonly alert: InstanceAlert;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}) {
  const now = useMinuteClock();
  const { name, severity, lastFiredAt, reason } = alert;
  const notes = [
    severity,
    reason === null ? `fires ${describeCondition(alert)}` : null,
    lastFiredAt === null ? null : `last fired ${formatDistance(lastFiredAt, now)}`,
  ];
  return (
    <div className="alerts__line">
      <button type="button" className="alerts__open" aria-expanded={isOpen} onClick={onToggle}>
        {escapeInvisible(name)}
      </button>
      <span>{describeNow(alert, now)}</span>
      <span className="alerts__facts">
        {escapeInvisible(notes.filter((note) => note !== null).join(' · '))}
      </span>
    </div>
  );
}

function OpenAlert({ alert, docs }: { readonly alert: InstanceAlert; readonly docs: string }) {
  const now = useMinuteClock();
  const { range, wholeFrom, reason, runbook } = alert;
  const runbookUrl = toRunbookUrl(runbook, docs);
  return (
    <div className="alerts__opened">
      {reason === null ? <AlertChart alert={alert} /> : null}
      {range > 0 && wholeFrom !== null && wholeFrom > now ? (
        <p className="alerts__facts">
          This instance has samples of all the time that the rule looks at from {formatUtcTime(wholeFrom)} on.
        </p>
      ) : null}
      {runbookUrl === null ? null : (
        <p>
          <a href={runbookUrl}>What it would mean, where to look, and what to do</a>
        </p>
      )}
      <AlertRuleText alert={alert} />
    </div>
  );
}

/** Says what is read now, or why nothing is known. */
function describeNow({ reason, readings }: InstanceAlert, now: number): string {
  if (reason !== null) {
    const from =
      reason.from === null || reason.from <= now ? '' : ` Known from ${formatUtcTime(reason.from)} on.`;
    return `${escapeInvisible(reason.text)}${from}`;
  }
  const [nearest] = readings;
  // A share of nothing is no number.
  if (nearest === undefined || nearest.value === null) return 'nothing to compare';
  const labels = formatLabels(nearest.labels);
  const rest =
    readings.length > 1 ? `, nearest of ${readings.length < 8 ? readings.length : '8 or more'}` : '';
  return `${formatReading(nearest.value)}${labels === '' ? '' : ` (${labels}${rest})`}`;
}
