import { Link } from '@tanstack/react-router';
import { useAlerts } from '../../api/alerts.ts';
import { escapeInvisible } from '../../base/format-text.ts';
import { Badge } from '../../parts/badge.tsx';
import { Panel } from '../../parts/page.tsx';
import { ErrorNote, Loading } from '../../parts/status.tsx';

const MAX_SHOWN = 5;

/** The alerts that fire now, which the instance evaluates every 15 seconds. */
export function AlertSummary() {
  const { data, error, refetch } = useAlerts();
  const firing = data?.alerts.filter(({ state }) => state === 'firing') ?? [];
  return (
    <Panel title="Alerts" aside={<Link to="/operate/alerts">All alerts</Link>}>
      {data === undefined ? (
        error === null ? (
          <Loading what="alerts" />
        ) : (
          <ErrorNote error={error} onRetry={() => void refetch()} />
        )
      ) : firing.length === 0 ? (
        <p className="operate-muted">
          None fires. {data.counts.pending} pending, {data.counts.quiet} quiet, {data.counts.unknown} not
          known.
        </p>
      ) : (
        <ul className="verdict__list">
          {firing.slice(0, MAX_SHOWN).map(({ name, active }) => (
            <li key={name}>
              <Badge tone="danger">{escapeInvisible(name)}</Badge> {escapeInvisible(active[0]?.summary ?? '')}
            </li>
          ))}
          {firing.length > MAX_SHOWN ? <li>and {firing.length - MAX_SHOWN} more</li> : null}
        </ul>
      )}
    </Panel>
  );
}
