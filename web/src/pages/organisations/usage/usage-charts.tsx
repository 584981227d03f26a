import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatWhole } from '../../../base/format-amount.ts';
import { escapeInvisible, shortenName } from '../../../base/format-text.ts';
import { BarChart } from '../../../parts/charts/bar-chart.tsx';
import { BarList } from '../../../parts/charts/share-bar.tsx';
import type { TableColumn } from '../../../parts/data-table.tsx';
import { VirtualTable } from '../../../parts/live/virtual-table.tsx';
import { Panel } from '../../../parts/page.tsx';
import { EmptyNote } from '../../../parts/status.tsx';
import type { UsageRow } from './fill-days.ts';
import type { UsagePart } from './usage-range.ts';

/** Bars of a list. The table below has all rows. */
const MAX_BARS = 10;

const MEASURES = [
  ['requests', 'Requests'],
  ['credits', 'Credits'],
  ['errors', 'Errors'],
] as const;

/** Usage as charts: over days, or the largest keys or endpoints. */
export function UsageCharts({
  organisation,
  by,
  rows,
}: {
  readonly organisation: string;
  readonly by: UsagePart;
  /** Of days, all of them in order; of others, the largest first. */
  readonly rows: readonly UsageRow[];
}) {
  if (rows.every(({ requests }) => requests === 0)) {
    return (
      <Panel title="Requests">
        <EmptyNote>
          No request was counted in this range. A request appears here within seconds of its answer: send one
          with a key of this organisation.
        </EmptyNote>
      </Panel>
    );
  }
  return (
    <div className="manage-grid">
      {MEASURES.map(([measure, title]) => (
        <Panel key={measure} title={measure === 'errors' ? 'Errors, status 400 and above' : title}>
          {by === 'day' ? (
            <BarChart
              label={`${title} by day`}
              bars={rows.map((row) => ({
                name: row.of.slice(5),
                value: row[measure],
                text: formatMeasure(row[measure], measure),
                tone: measure === 'errors' ? 'bad' : measure === 'credits' ? 'series-2' : 'series-1',
              }))}
              yTitle={title}
              height={180}
              formatY={formatTick}
              nameTitle="Day"
              valueTitle={title}
            />
          ) : (
            <BarList
              label={`${title} by ${by}`}
              bars={rows
                .filter((row) => row[measure] > 0)
                .toSorted((one, other) => other[measure] - one[measure])
                .slice(0, MAX_BARS)
                .map((row) => ({
                  key: `${row.team}/${row.of}`,
                  name: <RowName organisation={organisation} by={by} row={row} />,
                  value: row[measure],
                  text: formatMeasure(row[measure], measure),
                  tone: measure === 'errors' ? 'bad' : measure === 'credits' ? 'series-2' : 'series-1',
                }))}
              empty={`There were no ${measure}.`}
            />
          )}
        </Panel>
      ))}
    </div>
  );
}

/** The same as a table, with every row. */
export function UsageTable({
  organisation,
  by,
  rows,
}: {
  readonly organisation: string;
  readonly by: UsagePart;
  readonly rows: readonly UsageRow[];
}) {
  const columns: readonly TableColumn<UsageRow>[] = [
    {
      heading: { day: 'Day', key: 'Key', endpoint: 'Endpoint' }[by],
      cell: (row) => <RowName organisation={organisation} by={by} row={row} />,
    },
    { heading: 'Requests', align: 'end', cell: ({ requests }) => formatWhole(requests) },
    { heading: 'Errors', align: 'end', cell: ({ errors }) => formatWhole(errors) },
    { heading: 'Credits', align: 'end', cell: ({ credits }) => formatWhole(credits) },
  ];
  return (
    <Panel title="All of it">
      <VirtualTable
        caption={`Usage by ${by}`}
        columns={columns}
        rows={rows}
        rowKey={({ team, of }) => `${team}/${of}`}
      />
    </Panel>
  );
}

/** What a row is of. A key that is still there leads to its requests. */
function RowName({
  organisation,
  by,
  row: { of, team },
}: {
  readonly organisation: string;
  readonly by: UsagePart;
  readonly row: UsageRow;
}): ReactNode {
  if (by === 'day') return of;
  if (by === 'endpoint') return <code>{of === '' ? 'no endpoint answered' : escapeInvisible(of)}</code>;
  if (team === null) return <span className="manage-muted">a key that was deleted</span>;
  return (
    <Link
      to="/organisations/$organisation/log"
      params={{ organisation }}
      search={{ key: `${team}/${of}` } as never}
    >
      {shortenName(`${team}/${of}`, 113)}
    </Link>
  );
}

function formatMeasure(value: number, measure: (typeof MEASURES)[number][0]): string {
  const noun = measure.slice(0, -1);
  return `${formatWhole(value)} ${value === 1 ? noun : measure}`;
}

/** A tick between whole numbers would say nothing of counts. */
function formatTick(value: number): string {
  return Number.isInteger(value) ? formatWhole(value) : '';
}
