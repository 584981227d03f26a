import { formatWhole } from '../../base/format-amount.ts';
import { escapeInvisible } from '../../base/format-text.ts';
import { formatBriefDuration, formatDuration } from '../../base/format-time.ts';
import { Badge } from '../../parts/badge.tsx';
import { Panel } from '../../parts/page.tsx';
import { Stat, StatList } from '../../parts/stat.tsx';
import type { NodeView, OperationView } from './operation-shape.ts';
import { Since } from './since.tsx';

/** A blockhash that is older than this is a sign that the node is behind. */
const OLD_BLOCKHASH_MS = 20_000;

/** The nodes of the network that the instance calls. */
export function NodePanel({ operation: { nodes, instance } }: { readonly operation: OperationView }) {
  return (
    <Panel title={nodes.length === 1 ? 'Network' : 'Network and RPCs'}>
      <div className="operate-nodes">
        {nodes.map((node) => (
          <NodeCard key={node.name} node={node} now={instance.now} />
        ))}
      </div>
    </Panel>
  );
}

function NodeCard({ node, now }: { readonly node: NodeView; readonly now: number }) {
  const { name, host, meaning, slots, calls, webSocket } = node;
  return (
    <section aria-label={escapeInvisible(name)}>
      <h3 className="wallet-card__title">
        {escapeInvisible(name)} <code className="operate-host">{escapeInvisible(host)}</code>
      </h3>
      <p className="operate-muted">{escapeInvisible(meaning)}</p>
      <StatList>
        {slots === null ? null : (
          <>
            <Stat
              label="Slot"
              value={formatWhole(slots.processed)}
              note={`confirmed ${slots.processed - slots.confirmed} behind, finalized ${slots.processed - slots.finalized}`}
            />
            <Stat
              label="Newest blockhash"
              value={
                slots.blockhashAgeMs === null
                  ? 'none yet'
                  : `${formatBriefDuration(slots.blockhashAgeMs)} old`
              }
              tone={
                slots.blockhashAgeMs === null || slots.blockhashAgeMs > OLD_BLOCKHASH_MS ? 'warning' : 'plain'
              }
            />
          </>
        )}
        {calls === null ? null : (
          <>
            <Stat
              label="Calls since the start"
              value={formatWhole(calls.sent)}
              note={`${calls.waiting} wait`}
            />
            <Stat
              label="Failed"
              value={formatWhole(calls.failed)}
              tone={calls.failed === 0 ? 'plain' : 'warning'}
              note={
                calls.lastFailure === null ? (
                  'none'
                ) : (
                  <>
                    last <Since at={calls.lastFailure.at} now={now} />:{' '}
                    {escapeInvisible(calls.lastFailure.reason)}
                  </>
                )
              }
            />
          </>
        )}
        {webSocket === null ? null : (
          <Stat
            label="WebSocket"
            value={webSocket.isUp ? <Badge tone="good">up</Badge> : <Badge tone="warning">down</Badge>}
            note={
              <>
                since <Since at={webSocket.since} now={now} />
                {webSocket.reason === null
                  ? ''
                  : `: ${escapeInvisible(webSocket.reason)}; accounts are read instead`}
              </>
            }
          />
        )}
      </StatList>
      {calls?.pausedUntil == null ? null : (
        <p className="operate-stale">
          It has asked not to be called for another {formatDuration(Math.max(calls.pausedUntil - now, 0))}.
        </p>
      )}
    </section>
  );
}
