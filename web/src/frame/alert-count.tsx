import { formatCounted } from '../base/count-words.ts';
import { useAlerts } from '../api/alerts.ts';
import { can, useSession } from '../api/session.ts';

/** How many alerts of the instance fire, beside the way to them; nothing if none does, or the person may not read them. */
export function AlertCount() {
  const mayRead = can(useSession(), 'instance.write');
  const { data } = useAlerts(mayRead);
  const firing = mayRead ? (data?.counts.firing ?? 0) : 0;
  if (firing === 0) return null;
  return (
    <span className="frame__count" title={formatCounted(firing, 'alert fires', 'alerts fire')}>
      {firing}
      <span className="visually-hidden"> {firing === 1 ? 'alert fires' : 'alerts fire'}</span>
    </span>
  );
}
