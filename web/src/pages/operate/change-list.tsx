import { escapeInvisible } from '../../base/format-text.ts';
import { formatUtcTime } from '../../base/format-time.ts';
import { Badge } from '../../parts/badge.tsx';
import { VirtualTable } from '../../parts/live/virtual-table.tsx';
import type { TableColumn } from '../../parts/data-table.tsx';
import { Panel } from '../../parts/page.tsx';
import { EmptyNote } from '../../parts/status.tsx';
import type { OperationView } from './operation-shape.ts';
import { Since } from './since.tsx';

/** What came and went since the start of the process. */
export function ChangeList({ operation: { changes, instance } }: { readonly operation: OperationView }) {
  return (
    <Panel title="What came and went">
      {changes.length === 0 ? (
        <EmptyNote>Every part has worked since the start of this process.</EmptyNote>
      ) : (
        <VirtualTable
          caption="Parts that came and went"
          columns={listColumns(instance.now)}
          rows={changes}
          rowKey={({ part, at }) => `${part} ${at}`}
        />
      )}
    </Panel>
  );
}

function listColumns(now: number): readonly TableColumn<OperationView['changes'][number]>[] {
  return [
    {
      heading: 'When',
      cell: ({ at }) => (
        <>
          {formatUtcTime(at)} (<Since at={at} now={now} />)
        </>
      ),
    },
    { heading: 'Part', cell: ({ part }) => escapeInvisible(part) },
    {
      heading: 'What',
      cell: ({ reason }) =>
        reason === null ? (
          <Badge tone="good">works again</Badge>
        ) : (
          <div className="operate-reason">
            <Badge tone="danger">stopped working</Badge>: {escapeInvisible(reason)}
          </div>
        ),
    },
  ];
}
