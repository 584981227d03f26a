import { useQuery } from '@tanstack/react-query';
import { callAdmin } from '../../api/admin.ts';
import { useCredentialGeneration } from '../../api/credentials.ts';
import { readAnswer } from '../../api/read-answer.ts';
import { escapeInvisible, shortenName } from '../../base/format-text.ts';
import { Panel } from '../../parts/page.tsx';
import { Stat, StatList } from '../../parts/stat.tsx';
import { ErrorNote, Loading } from '../../parts/status.tsx';
import { AlertSummary } from './alert-summary.tsx';
import { BudgetPanel } from './budget-panel.tsx';
import { ChangeList } from './change-list.tsx';
import { LandingSummary } from './landing-summary.tsx';
import { NodePanel } from './node-panel.tsx';
import { type OperationView, readOperation } from './operation-shape.ts';
import { PartPanel } from './part-panel.tsx';
import { QueuePanel, StreamPanel } from './queue-panel.tsx';
import { Since } from './since.tsx';
import { VerdictLine } from './verdict-line.tsx';

const REFRESH_MS = 5_000;
const MAX_NAME = 80;

/** Everything that the instance says of itself, read again every five seconds while the page is seen. */
export function Overview() {
  const generation = useCredentialGeneration();
  const { data, error, refetch } = useQuery({
    queryKey: ['operation', generation],
    queryFn: async () =>
      readAnswer('the state of the instance', readOperation, await callAdmin('/admin/v1/operation')),
    refetchInterval: REFRESH_MS,
  });
  const retry = () => void refetch();
  if (data === undefined)
    return error === null ? (
      <Loading what="the state of the instance" />
    ) : (
      <ErrorNote error={error} onRetry={retry} />
    );
  return (
    <div className="operate">
      {error === null ? null : (
        <>
          <p className="operate-stale">
            The state of the instance cannot be read now. What is shown is{' '}
            <Since at={data.instance.now} now={Date.now()} />, and may not hold any more.
          </p>
          <ErrorNote error={error} onRetry={retry} />
        </>
      )}
      {error === null ? <VerdictLine operation={data} /> : null}
      <Tiles operation={data} />
      <AlertSummary />
      <PartPanel operation={data} />
      <BudgetPanel operation={data} />
      <NodePanel operation={data} />
      <QueuePanel queues={data.queues} />
      <StreamPanel streams={data.streams} />
      <LandingSummary landings={data.landings} />
      <ChangeList operation={data} />
    </div>
  );
}

function Tiles({ operation: { instance, parts, queues } }: { readonly operation: OperationView }) {
  const working = parts.filter(({ works }) => works).length;
  const waiting = queues.reduce((sum, queue) => sum + queue.waiting, 0);
  const lost = queues.reduce((sum, queue) => sum + (queue.lost ?? 0), 0);
  return (
    <Panel>
      <StatList>
        <Stat
          label="This instance"
          value={shortenName(instance.name, MAX_NAME)}
          note={`Sluice ${escapeInvisible(instance.version)}; ${
            instance.isShared
              ? 'it speaks for itself, and not for the others that share its Valkey'
              : 'it works alone'
          }`}
        />
        <Stat label="Started" value={<Since at={instance.startedAt} now={instance.now} />} />
        <Stat
          label="Network"
          value={instance.network === 'embedded' ? 'embedded' : 'outside RPC'}
          note={instance.isKeeper ? 'it fills orders that wait' : 'it fills no orders that wait'}
        />
        <Stat
          label="Parts that work"
          value={parts.length === 0 ? 'none checked yet' : `${working} of ${parts.length}`}
          tone={working === parts.length && working > 0 ? 'good' : 'warning'}
        />
        <Stat label="Waiting in queues" value={String(waiting)} />
        <Stat
          label="Lost or refused since the start"
          value={String(lost)}
          tone={lost === 0 ? 'plain' : 'warning'}
          note={lost === 0 ? 'nothing' : 'which: see the queues'}
        />
      </StatList>
    </Panel>
  );
}
