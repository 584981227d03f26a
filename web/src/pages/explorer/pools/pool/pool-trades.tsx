import { useQuery } from '@tanstack/react-query';
import { Panel } from '../../../../parts/page.tsx';
import { EmptyNote, ErrorNote, Loading } from '../../../../parts/status.tsx';
import { fetchRecentOf } from '../../recent/recent-signatures.ts';
import { TransactionTable } from '../../recent/transaction-table.tsx';

const REFRESH_MS = 5_000;

/** The last transactions that name a pool. */
export function PoolTrades({ address }: { readonly address: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['recent-transactions', address],
    queryFn: () => fetchRecentOf(address),
    refetchInterval: ({ state }) => (state.error === null ? REFRESH_MS : false),
    retry: false,
  });
  return (
    <Panel title="Last transactions through it">
      {data === undefined ? (
        error === null ? (
          <Loading what="transactions" />
        ) : (
          <ErrorNote error={error} onRetry={() => void refetch()} />
        )
      ) : data.length === 0 ? (
        <EmptyNote>
          No transaction in the history of the network names it yet. A swap that is routed through it appears
          here.
        </EmptyNote>
      ) : (
        <TransactionTable caption="The last transactions that name the pool" transactions={data} />
      )}
    </Panel>
  );
}
