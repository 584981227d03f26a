import { formatCounted } from '../../base/count-words.ts';
import './alerts.css';
import { useState } from 'react';
import { type AlertsAnswer, useAlerts } from '../../api/alerts.ts';
import { useDocsUrl } from '../../api/instance.ts';
import { INSTANCE_SCOPE } from '../../api/scope.ts';
import { formatDistance } from '../../base/format-distance.ts';
import { escapeInvisible } from '../../base/format-text.ts';
import { Disclosure } from '../../parts/disclosure.tsx';
import { ManageFrame } from '../../parts/manage/manage-frame.tsx';
import { usePageSearch } from '../../parts/page-search.ts';
import { ErrorNote, Loading } from '../../parts/status.tsx';
import { useMinuteClock } from '../../parts/use-minute-clock.ts';
import { AlertCard } from './alert-card.tsx';
import { AlertLines } from './alert-lines.tsx';

/** The alerts of the instance: what fires first, with what to do about it. */
export function AlertsPage() {
  return (
    <ManageFrame
      scope={INSTANCE_SCOPE}
      title="Alerts"
      lead="What is wrong now, by the rules that Prometheus also evaluates. The instance evaluates them itself."
      what="Alerts"
    >
      <AlertsContent />
    </ManageFrame>
  );
}

function AlertsContent() {
  const { data, error, refetch } = useAlerts();
  if (data === undefined)
    return error === null ? (
      <Loading what="the alerts" />
    ) : (
      <ErrorNote error={error} onRetry={() => void refetch()} />
    );
  return (
    <>
      {error === null ? null : <ErrorNote error={error} onRetry={() => void refetch()} />}
      <Summary answer={data} />
      <AlertSections answer={data} />
    </>
  );
}

function AlertSections({ answer: { alerts, source } }: { readonly answer: AlertsAnswer }) {
  const docs = useDocsUrl();
  const listOf = (state: string) => alerts.filter((alert) => alert.state === state);
  const active = [...listOf('firing'), ...listOf('pending')];
  return (
    <>
      {active.map((alert) => (
        <AlertCard key={alert.name} alert={alert} docs={docs} />
      ))}
      <FoldedAlerts state="quiet" alerts={listOf('quiet')} isOpen={active.length === 0} />
      <FoldedAlerts state="unknown" alerts={listOf('unknown')} />
      <p className="alerts__source">
        The rules are those of <code>{escapeInvisible(source)}</code>. Give the same file to Prometheus, which
        can also tell you when this instance is gone: <a href={`${docs}/runbooks`}>Runbooks</a>.
      </p>
    </>
  );
}

function FoldedAlerts({
  state,
  alerts,
  isOpen = false,
}: {
  readonly state: string;
  readonly alerts: AlertsAnswer['alerts'];
  /** Whether they are shown at first, without one that the address names. Default: false. */
  readonly isOpen?: boolean;
}) {
  const docs = useDocsUrl();
  const [{ alert: chosen }] = usePageSearch();
  // Decided once: what a reader has opened or closed stays so while alerts come and go.
  const [isOpenAtFirst] = useState(() => isOpen || alerts.some(({ name }) => name === chosen));
  if (alerts.length === 0) return null;
  return (
    <Disclosure
      summary={`${formatCounted(alerts.length, 'alert is', 'alerts are')} ${state}`}
      open={isOpenAtFirst}
    >
      <AlertLines label={`Alerts that are ${state}`} alerts={alerts} docs={docs} />
    </Disclosure>
  );
}

/** Says in a sentence how the instance is, and from when on that is known. */
function Summary({
  answer: { counts, evaluatedAt, sampledSince, every },
}: {
  readonly answer: AlertsAnswer;
}) {
  const now = useMinuteClock();
  if (evaluatedAt === null || sampledSince === null) return <Loading what="the first sample" />;
  const tone = counts.firing > 0 ? 'firing' : counts.pending > 0 ? 'pending' : 'quiet';
  const isLate = now - evaluatedAt > 4 * every;
  return (
    <div className={`alerts__summary alerts__summary--${tone}`} role="status">
      <strong>{describeCounts(counts)}</strong>
      <span>
        {isLate ? 'The alerts are not evaluated now: the last time was' : 'Evaluated'}{' '}
        {formatDistance(evaluatedAt, now)}, over samples since {formatDistance(sampledSince, now)}.
      </span>
    </div>
  );
}

function describeCounts({ firing, pending }: AlertsAnswer['counts']): string {
  const waiting = pending === 0 ? '' : `, and ${formatCounted(pending, 'is', 'are')} pending`;
  if (firing > 0) return `${formatCounted(firing, 'alert fires', 'alerts fire')}${waiting}.`;
  return pending > 0
    ? `Nothing fires. ${formatCounted(pending, 'alert is', 'alerts are')} pending.`
    : 'Nothing fires.';
}
