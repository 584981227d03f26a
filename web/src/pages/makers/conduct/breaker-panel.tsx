import type { ReactNode } from 'react';
import { formatBriefDuration, formatUtcTime } from '../../../base/format-time.ts';
import { escapeInvisible } from '../../../base/format-text.ts';
import { Badge } from '../../../parts/badge.tsx';
import { DataTable, type TableColumn } from '../../../parts/data-table.tsx';
import { Panel } from '../../../parts/page.tsx';
import { Stat, StatList } from '../../../parts/stat.tsx';
import type {
  BreakerCounts,
  MakerStatusChange,
  MakerStatusView,
  StreamBreaker,
  WebhookBreaker,
} from '../source/maker-shapes.ts';
import { formatCountShare } from '../text/format-share.ts';
import { MakerStatusBadge } from '../text/maker-status.tsx';
import { describeStreamBreaker, describeWebhookBreaker } from './conduct-text.ts';

/** The circuit breakers of a maker: their state, what would trip them, and how its status changed. */
export function BreakerPanels({ status }: { readonly status: MakerStatusView }) {
  const { breaker, webhookBreaker, changes, tampered, connected } = status;
  const hasStreamed = webhookBreaker === null || connected === true || changes.length > 0;
  return (
    <>
      {tampered ? (
        <p className="maker-note maker-note--warning">
          It returned a swap with another message than it was offered. It may not quote until the operator
          reinstates it.
        </p>
      ) : null}
      {breaker === null || !hasStreamed ? null : <StreamBreakerPanel breaker={breaker} />}
      {webhookBreaker === null ? null : <WebhookBreakerPanel breaker={webhookBreaker} />}
      <Panel title="Changes of its status">
        {changes.length === 0 ? (
          <p className="maker-muted">None is on record.</p>
        ) : (
          <DataTable
            caption="Changes of its status"
            columns={CHANGES}
            rows={changes}
            rowKey={(_, index) => index}
          />
        )}
      </Panel>
    </>
  );
}

function StreamBreakerPanel({ breaker }: { readonly breaker: StreamBreaker }) {
  return (
    <Panel title="Breaker of its streams" aside={<BreakerBadge state={breaker.state} />}>
      <p>{describeStreamBreaker(breaker)}</p>
      <BreakerStats breaker={breaker}>
        <Stat label="A suspension lasts" value={formatBriefDuration(breaker.suspensionMs)} />
      </BreakerStats>
    </Panel>
  );
}

function WebhookBreakerPanel({ breaker }: { readonly breaker: WebhookBreaker }) {
  const lengths = breaker.suspensionsMs.map((ms) => formatBriefDuration(ms));
  return (
    <Panel title="Breaker of its webhook" aside={<BreakerBadge state={breaker.state} />}>
      <p>{describeWebhookBreaker(breaker)}</p>
      <BreakerStats breaker={breaker}>
        <Stat
          label="A missed swap suspends it for"
          value={lengths[0] ?? 'No time'}
          note={
            lengths.length < 2 ? undefined : `then for ${lengths.slice(1).join(', ')}; fills make up for it`
          }
        />
      </BreakerStats>
    </Panel>
  );
}

function BreakerStats({
  breaker,
  children,
}: {
  readonly breaker: BreakerCounts;
  readonly children: ReactNode;
}) {
  const { filled, swaps, thresholdPercent, minimumSwaps, windowMs, missesLeft, state } = breaker;
  return (
    <StatList>
      <Stat
        label="Fill rate now"
        value={formatCountShare(filled, swaps) ?? 'No swaps'}
        note={`${filled} of ${swaps} swaps in the window`}
      />
      <Stat
        label="Misses left"
        value={missesLeft ?? 'Not counted'}
        note={
          state === 'closed' ? 'in a row, until the fill rate is too low' : 'while the breaker is not closed'
        }
      />
      <Stat
        label="Threshold"
        value={`${thresholdPercent}%`}
        note={`of at least ${minimumSwaps} swaps in ${formatBriefDuration(windowMs)}`}
      />
      {children}
    </StatList>
  );
}

function BreakerBadge({ state }: { readonly state: string }) {
  const tone = state === 'closed' ? 'good' : state === 'suspended' ? 'danger' : 'plain';
  return <Badge tone={tone}>{escapeInvisible(state)}</Badge>;
}

const CHANGES: readonly TableColumn<MakerStatusChange>[] = [
  { heading: 'Time', cell: ({ at }) => formatUtcTime(at) },
  {
    heading: 'Status',
    cell: ({ from, to }) => (
      <>
        <MakerStatusBadge status={from} /> → <MakerStatusBadge status={to} />
      </>
    ),
  },
  { heading: 'Cause', cell: ({ cause }) => <div className="maker-reason">{escapeInvisible(cause)}</div> },
];
