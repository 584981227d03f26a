import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { callAdmin } from '../../api/admin.ts';
import { ApiError } from '../../api/call.ts';
import { useCredentialGeneration } from '../../api/credentials.ts';
import { readAnswer } from '../../api/read-answer.ts';
import { escapeInvisible } from '../../base/format-text.ts';
import { shape } from '../../base/json-shape.ts';
import { Badge } from '../../parts/badge.tsx';
import { Panel } from '../../parts/page.tsx';
import { ErrorNote, Loading } from '../../parts/status.tsx';

const REFRESH_MS = 15_000;
const MAX_SHOWN = 5;

const readAlerts = shape.object({
  alerts: shape.list(
    shape.object({
      name: shape.text,
      state: shape.text,
      summary: shape.optional(shape.nullable(shape.text), null),
    }),
  ),
});

/** The alerts that fire now, which the instance evaluates every 15 seconds. */
export function AlertSummary() {
  const generation = useCredentialGeneration();
  const { data, error, refetch } = useQuery({
    queryKey: ['alerts', 'summary', generation],
    queryFn: async () => readAnswer('the alerts', readAlerts, await callAdmin('/admin/v1/alerts')),
    refetchInterval: REFRESH_MS,
  });
  if (error instanceof ApiError && error.status === 404) return null;
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
        <p className="operate-muted">None of {data.alerts.length} fires.</p>
      ) : (
        <ul className="verdict__list">
          {firing.slice(0, MAX_SHOWN).map(({ name, summary }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: one rule may fire for several series.
            <li key={`${name} ${index}`}>
              <Badge tone="danger">{escapeInvisible(name)}</Badge> {escapeInvisible(summary ?? '')}
            </li>
          ))}
          {firing.length > MAX_SHOWN ? <li>and {firing.length - MAX_SHOWN} more</li> : null}
        </ul>
      )}
    </Panel>
  );
}
