import { formatCounted } from '../../../base/count-words.ts';
import { type AdminAnswer, callAdminOperation, useAdminAnswer } from '../../../api/admin-operations.ts';
import { Button } from '../../../parts/button.tsx';
import { ErrorNote } from '../../../parts/status.tsx';
import { useControl } from '../activity/activity.tsx';

/** Whether the pools follow the feeds: an arbitrageur trades them to each new price. */
export function Follower() {
  const { data } = useAdminAnswer('GET /admin/v1/network/price-follower');
  const follow = useControl<AdminAnswer<'PUT /admin/v1/network/price-follower'>, boolean>({
    act: (following) => callAdminOperation('PUT /admin/v1/network/price-follower', { body: { following } }),
    nameAct: (following) => (following ? 'Let the pools follow the feeds' : 'Left the pools where they are'),
    describeResult: ({ following, trades }) =>
      following ? describeTrades(trades) : 'The pools keep their prices until somebody trades',
    makeUndo: (_, following) => () => follow.mutate(!following),
  });
  if (data === undefined) return null;
  return (
    <div className="controls__line">
      <Button
        aria-pressed={data.following}
        busy={follow.isPending}
        onClick={() => follow.mutate(!data.following)}
        title="An arbitrageur trades the pools to the price of each feed"
      >
        Pools follow the feeds: {data.following ? 'on' : 'off'}
      </Button>
      {follow.error === null ? null : <ErrorNote error={follow.error} />}
    </div>
  );
}

function describeTrades(trades: number): string {
  if (trades === 0) return 'No swap was needed: the pools were at the prices already';
  return `${formatCounted(trades, 'swap')} brought the pools to the prices of now`;
}
