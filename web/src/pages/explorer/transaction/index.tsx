import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { ApiError } from '../../../api/call.ts';
import { decodeTransaction } from '../../../api/decode.ts';
import { useInstance } from '../../../api/instance.ts';
import { Panel } from '../../../parts/page.tsx';
import { ErrorNote, Loading } from '../../../parts/status.tsx';
import { TransactionView } from '../../../parts/transaction-view/transaction-view.tsx';
import { ExplorerFrame } from '../frame/explorer-frame.tsx';
import { ExplorerSearch } from '../frame/explorer-search.tsx';

/** One transaction that landed. */
export function TransactionPage() {
  const { signature = '' } = useParams({ strict: false });
  const { data: instance } = useInstance();
  const isEmbedded = instance?.network.kind === 'embedded';
  const { data, error, refetch } = useQuery({
    queryKey: ['landed-transaction', signature],
    queryFn: () => decodeTransaction({ signature }),
    retry: false,
    // One that was just sent is shown as soon as it is confirmed. A call of an outside RPC costs the operator.
    refetchInterval: ({ state: { error: last, errorUpdateCount } }) =>
      isEmbedded && isNotFound(last) && errorUpdateCount < MAX_TRIES ? TRY_MS : false,
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
          <>
            <ErrorNote error={error} onRetry={() => void refetch()} />
            {isNotFound(error) ? <NotLanded isEmbedded={isEmbedded} /> : null}
          </>
        )}
      </Panel>
    </ExplorerFrame>
  );
}

const TRY_MS = 2_000;
/** As long as a blockhash lives. */
const MAX_TRIES = 40;

function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

/** Why there may be no transaction with a signature. */
function NotLanded({ isEmbedded }: { readonly isEmbedded: boolean }) {
  return (
    <>
      <p>This can be because:</p>
      <ul>
        <li>
          It was just sent and is not confirmed yet
          {isEmbedded ? '. This page looks again by itself for a while.' : '. Look again in some seconds.'}
        </li>
        <li>
          It expired: the network drops a transaction that has not landed when its blockhash is 150 blocks
          old, about a minute. Nothing was paid for it. Sign it again with a new blockhash.
        </li>
        <li>
          It was refused before it landed, such as by a preflight or for a fee that nobody can pay. Who sent
          it was told why.
        </li>
        {isEmbedded ? (
          <li>
            A fault that is set in the network drops or delays transactions. The controls on the admin port
            show the faults.
          </li>
        ) : (
          <li>The RPC does not keep transactions for so long.</li>
        )}
      </ul>
    </>
  );
}
