import { formatWhole } from '../../base/format-amount.ts';
import { escapeInvisible } from '../../base/format-text.ts';
import { DataTable, type TableColumn } from '../../parts/data-table.tsx';
import { Panel } from '../../parts/page.tsx';
import { EmptyNote } from '../../parts/status.tsx';
import type { OperationView } from './operation-shape.ts';

type QueueView = OperationView['queues'][number];
type StreamsView = OperationView['streams'][number];

/** What waits at the instance. */
export function QueuePanel({ queues }: { readonly queues: readonly QueueView[] }) {
  return (
    <Panel title="Queues">
      {queues.length === 0 ? (
        <EmptyNote>Nothing can wait here.</EmptyNote>
      ) : (
        <DataTable caption="What waits" columns={QUEUE_COLUMNS} rows={queues} rowKey={({ name }) => name} />
      )}
    </Panel>
  );
}

/** Who is connected to the instance. */
export function StreamPanel({ streams }: { readonly streams: readonly StreamsView[] }) {
  return (
    <Panel title="Streams">
      {streams.length === 0 ? (
        <EmptyNote>Nobody can be connected here.</EmptyNote>
      ) : (
        <DataTable
          caption="Who is connected"
          columns={STREAM_COLUMNS}
          rows={streams}
          rowKey={({ name }) => name}
        />
      )}
    </Panel>
  );
}

const QUEUE_COLUMNS: readonly TableColumn<QueueView>[] = [
  { heading: 'Queue', cell: ({ name, meaning }) => <NamedThing name={name} meaning={meaning} /> },
  { heading: 'Waiting', align: 'end', cell: ({ waiting }) => formatWhole(waiting) },
  { heading: 'Limit', align: 'end', cell: ({ limit }) => (limit === null ? 'none' : formatWhole(limit)) },
  {
    heading: 'Lost or refused',
    align: 'end',
    cell: ({ lost }) =>
      lost === null ? (
        'never'
      ) : (
        <span className={lost > 0 ? 'operate-bad' : undefined}>{formatWhole(lost)}</span>
      ),
  },
];

const STREAM_COLUMNS: readonly TableColumn<StreamsView>[] = [
  { heading: 'Streams', cell: ({ name, meaning }) => <NamedThing name={name} meaning={meaning} /> },
  { heading: 'Open', align: 'end', cell: ({ open }) => formatWhole(open) },
  { heading: 'Limit', align: 'end', cell: ({ limit }) => (limit === null ? 'none' : formatWhole(limit)) },
];

function NamedThing({ name, meaning }: { readonly name: string; readonly meaning: string }) {
  return (
    <div className="operate-name">
      {escapeInvisible(name)}
      <span className="operate-muted">{escapeInvisible(meaning)}</span>
    </div>
  );
}
