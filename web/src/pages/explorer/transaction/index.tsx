import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { ApiError } from '../../../api/call.ts';
import { decodeTransaction } from '../../../api/decode.ts';
import { Panel } from '../../../parts/page.tsx';
import { ErrorNote, Loading } from '../../../parts/status.tsx';
import { TransactionView } from '../../../parts/transaction-view/transaction-view.tsx';
import { ExplorerFrame } from '../frame/explorer-frame.tsx';
import { ExplorerSearch } from '../frame/explorer-search.tsx';

/** One transaction that landed. */
export function TransactionPage() {
  const { signature = '' } = useParams({ strict: false });
  const { data, error, refetch } = useQuery({
    queryKey: ['landed-transaction', signature],
    queryFn: () => decodeTransaction({ signature }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <ExplorerFrame title="Transaction">
      <Panel>
        <ExplorerSearch key={signature} initial={signature} />
      </Panel>
      <Panel>
        {data !== undefined ? (
          <TransactionView decoded={data} />
        ) : error === null ? (
          <Loading what="the transaction" />
        ) : (
          <ErrorNote error={error} onRetry={isRefusedForGood(error) ? undefined : () => void refetch()} />
        )}
      </Panel>
    </ExplorerFrame>
  );
}

/** A text that is no signature never becomes one, while a transaction may still land. */
function isRefusedForGood(error: unknown): boolean {
  return error instanceof ApiError && error.status === 400;
}
