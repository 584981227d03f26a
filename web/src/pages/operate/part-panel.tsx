import { formatBytes } from '../../base/format-bytes.ts';
import { escapeInvisible } from '../../base/format-text.ts';
import { Badge } from '../../parts/badge.tsx';
import { DataTable, type TableColumn } from '../../parts/data-table.tsx';
import { Panel } from '../../parts/page.tsx';
import { formatMicroseconds } from '../../parts/traffic/traffic-text.ts';
import type { OperationView, PartView, StoreView } from './operation-shape.ts';
import { Since } from './since.tsx';
import { RunbookLink } from './verdict-line.tsx';

/** The parts of the instance and its stores. */
export function PartPanel({ operation: { parts, stores, instance } }: { readonly operation: OperationView }) {
  const { now } = instance;
  return (
    <>
      <Panel title="Parts" aside={<span className="operate-muted">checked every 5 seconds</span>}>
        <ul className="part-list">
          {parts.map((part) => (
            <PartCard key={part.name} part={part} now={now} />
          ))}
        </ul>
      </Panel>
      <Panel title="Stores">
        <DataTable
          caption="The stores of the instance"
          columns={listStoreColumns(parts, now)}
          rows={stores}
          rowKey={({ name }) => name}
        />
      </Panel>
    </>
  );
}

function PartCard({ part, now }: { readonly part: PartView; readonly now: number }) {
  const { name, works, optional, reason, since, tookMs, runbook } = part;
  return (
    <li className={works ? 'part-card' : 'part-card part-card--broken'}>
      <p className="part-card__head">
        <span className="part-card__name">{escapeInvisible(name)}</span>
        {works ? (
          <Badge tone="good">works</Badge>
        ) : (
          <Badge tone={optional ? 'warning' : 'danger'}>does not work</Badge>
        )}
      </p>
      {works ? null : (
        <p className="part-card__reason">
          {escapeInvisible(reason ?? '')} <RunbookLink runbook={runbook} />
        </p>
      )}
      <p className="operate-muted">
        since <Since at={since} now={now} />, checked in {tookMs} ms
        {optional && !works ? '; requests are served without it' : ''}
      </p>
    </li>
  );
}

function listStoreColumns(parts: readonly PartView[], now: number): readonly TableColumn<StoreView>[] {
  const worksOf = (name: string) => parts.find((part) => part.name === name)?.works ?? null;
  return [
    {
      heading: 'Store',
      cell: ({ name, meaning }) => (
        <div className="operate-name">
          {escapeInvisible(name)}
          <span className="operate-muted">{escapeInvisible(meaning)}</span>
        </div>
      ),
    },
    { heading: 'Kind', cell: ({ kind }) => escapeInvisible(kind) },
    {
      heading: 'State',
      cell: ({ part }) => {
        const works = worksOf(part);
        if (works === null) return <Badge>not checked yet</Badge>;
        return works ? <Badge tone="good">works</Badge> : <Badge tone="danger">does not work</Badge>;
      },
    },
    {
      heading: 'Size',
      align: 'end',
      cell: ({ bytes }) => (bytes === null ? 'not known' : formatBytes(bytes)),
    },
    {
      heading: 'Answered in',
      align: 'end',
      cell: ({ latencyMicros }) => (latencyMicros === null ? 'no answer' : formatMicroseconds(latencyMicros)),
    },
    {
      heading: 'Read',
      align: 'end',
      cell: ({ readAt }) => (readAt === null ? 'not yet' : <Since at={readAt} now={now} />),
    },
  ];
}
