import { AddressText } from '../../../parts/address-text.tsx';
import { Badge } from '../../../parts/badge.tsx';
import { DataTable, type TableColumn } from '../../../parts/data-table.tsx';
import { formatWhole } from '../../../base/format-amount.ts';
import type { RecentTransaction } from './recent-signatures.ts';

/** Transactions with links to each of them. */
export function TransactionTable({
  caption,
  transactions,
}: {
  readonly caption: string;
  readonly transactions: readonly RecentTransaction[];
}) {
  return (
    <DataTable
      caption={caption}
      columns={COLUMNS}
      rows={transactions}
      rowKey={({ signature }) => signature}
    />
  );
}

const COLUMNS: readonly TableColumn<RecentTransaction>[] = [
  {
    heading: 'Transaction',
    cell: ({ signature }) => <AddressText address={signature} link="transaction" />,
  },
  {
    heading: 'Result',
    cell: ({ isFailed }) =>
      isFailed ? <Badge tone="danger">failed</Badge> : <Badge tone="good">landed</Badge>,
  },
  { heading: 'Slot', align: 'end', cell: ({ slot }) => formatWhole(slot) },
  { heading: 'Time', align: 'end', cell: ({ time }) => (time === null ? '' : formatClock(time)) },
];

/** The clock of the network may be far ahead of this one, so it is shown as it is. */
function formatClock(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().slice(0, 19).replace('T', ' ');
}
