import { AddressText } from '../../../parts/address-text.tsx';
import { Badge } from '../../../parts/badge.tsx';
import { DataTable, type TableColumn } from '../../../parts/data-table.tsx';
import { formatUnixTime } from '../../../parts/transaction-view/field-text.ts';
import { SlotLink } from '../slots/slot-link.tsx';
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
  { heading: 'Slot', align: 'end', cell: ({ slot }) => <SlotLink slot={slot} /> },
  { heading: 'Time', align: 'end', cell: ({ time }) => (time === null ? '' : formatUnixTime(time)) },
];
