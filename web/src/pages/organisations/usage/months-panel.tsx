import type { MonthCredits } from '../../../api/organisations/organisation-shapes.ts';
import { formatWhole } from '../../../base/format-amount.ts';
import { escapeInvisible } from '../../../base/format-text.ts';
import { Badge } from '../../../parts/badge.tsx';
import { DataTable, type TableColumn } from '../../../parts/data-table.tsx';
import { Panel } from '../../../parts/page.tsx';
import { formatMonth, formatUsedShare } from '../text/describe-use.ts';

/** The credits of each month against what its plan includes. */
export function MonthsPanel({
  months,
  current,
}: {
  readonly months: readonly MonthCredits[];
  /** The month that is not over yet. */
  readonly current: MonthCredits;
}) {
  return (
    <Panel title="Credits by month">
      <DataTable
        caption="Credits by month, newest first"
        rows={months}
        rowKey={({ since }) => since}
        columns={buildColumns(current.since)}
      />
      <p className="manage-muted">
        Months are those of UTC, and of the whole organisation, whatever team is chosen. The plan at the end
        of a month counts for all of it.
      </p>
    </Panel>
  );
}

function buildColumns(currentSince: number): readonly TableColumn<MonthCredits>[] {
  return [
    {
      heading: 'Month',
      cell: ({ since }) => (
        <div className="manage-name">
          <span>{formatMonth(since)}</span>
          {since === currentSince ? <span className="manage-muted">so far</span> : null}
        </div>
      ),
    },
    { heading: 'Plan', cell: ({ plan }) => <Badge>{escapeInvisible(plan)}</Badge> },
    { heading: 'Used', align: 'end', cell: ({ used }) => `${formatWhole(used)} credits` },
    {
      heading: 'Included',
      align: 'end',
      cell: ({ used, included }) =>
        included === null
          ? 'unlimited'
          : `${formatWhole(included)} credits, ${formatUsedShare(used, included)} used`,
    },
    {
      heading: 'Overage',
      align: 'end',
      cell: ({ overage }) =>
        overage > 0 ? <Badge tone="warning">{formatWhole(overage)} credits</Badge> : 'none',
    },
  ];
}
