import { EmptyNote, ErrorNote, Loading } from '../../../parts/status.tsx';
import { TransactionTable } from '../recent/transaction-table.tsx';
import { useRecentOf } from './account-queries.ts';

/** The last transactions that name an address. */
export function RecentOf({ address, what }: { readonly address: string; readonly what: string }) {
  const { data, error, refetch } = useRecentOf(address);
  if (data === undefined) {
    return error === null ? (
      <Loading what="transactions" />
    ) : (
      <ErrorNote error={error} onRetry={() => void refetch()} />
    );
  }
  if (data.length === 0)
    return <EmptyNote>No transaction in the history of the network names {what}.</EmptyNote>;
  return <TransactionTable caption={`The last transactions that name ${what}`} transactions={data} />;
}
