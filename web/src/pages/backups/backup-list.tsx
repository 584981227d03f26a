import { formatBytes } from '../../base/format-bytes.ts';
import { formatBriefDuration } from '../../base/format-time.ts';
import { escapeInvisible } from '../../base/format-text.ts';
import { Badge } from '../../parts/badge.tsx';
import { DataTable, type TableColumn } from '../../parts/data-table.tsx';
import { EmptyNote } from '../../parts/status.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import type { BackupLine } from './backup-shape.ts';

/** The backups that were made or failed, newest first. */
export function BackupList({ backups }: { readonly backups: readonly BackupLine[] }) {
  if (backups.length === 0)
    return (
      <EmptyNote>
        Backups that this page or sluice backup makes of a running instance are listed here. One of a stopped
        instance is not, because nothing runs that could note it.
      </EmptyNote>
    );
  return (
    <DataTable
      caption="Backups so far"
      columns={COLUMNS}
      rows={backups}
      rowKey={({ at }, index) => `${at} ${index}`}
    />
  );
}

const COLUMNS: readonly TableColumn<BackupLine>[] = [
  { heading: 'When', cell: ({ at }) => <TimeText at={at} /> },
  {
    heading: 'Outcome',
    cell: ({ failure }) =>
      failure === null ? (
        <Badge tone="good">made</Badge>
      ) : (
        <div className="backups__failure">
          <Badge tone="danger">failed</Badge> {escapeInvisible(failure)}
        </div>
      ),
  },
  { heading: 'Size', align: 'end', cell: ({ bytes }) => formatBytes(bytes) },
  { heading: 'Took', align: 'end', cell: ({ durationMs }) => formatBriefDuration(durationMs) },
  { heading: 'Holds', cell: describeContents },
  {
    heading: 'Who',
    cell: ({ by, from }) => (
      <div className="backups__who">
        {escapeInvisible(by)}
        <span>{escapeInvisible(from)}</span>
      </div>
    ),
  },
];

function describeContents({ files, databases }: BackupLine): string {
  if (files === null) return '';
  const held = databases.length === 0 ? 'without the database' : escapeInvisible(databases.join(', '));
  return `${files} files: ${held}`;
}
