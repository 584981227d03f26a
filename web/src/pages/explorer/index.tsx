import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { ApiError } from '../../api/call.ts';
import { decodeTransaction } from '../../api/decode.ts';
import { useInstance } from '../../api/instance.ts';
import { AddressText } from '../../parts/address-text.tsx';
import { Page, Panel } from '../../parts/page.tsx';
import { EmptyNote, ErrorNote, Loading } from '../../parts/status.tsx';
import { TransactionView } from '../../parts/transaction-view/transaction-view.tsx';
import { AccountView } from './account/account-view.tsx';
import { ExplorerSearch } from './explorer-search.tsx';
import { RecentTransactions } from './recent/recent-transactions.tsx';

/** Finds transactions and accounts of the network. */
export function ExplorerPage() {
  const { data: instance } = useInstance();
  return (
    <Page
      title="Explorer"
      lead="Every transaction of the network in words: what it called, what it moved, and why it failed."
    >
      <Panel>
        <ExplorerSearch />
      </Panel>
      <Panel title="Last transactions">
        {instance === undefined ? (
          <Loading what="the network" />
        ) : instance.network.kind === 'embedded' && !instance.production ? (
          <RecentTransactions demoWallet={instance.demoWallet} />
        ) : (
          <EmptyNote>
            Transactions are listed on the embedded network only. One that landed is shown by its signature.
          </EmptyNote>
        )}
      </Panel>
    </Page>
  );
}

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
    <Page title="Transaction">
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
    </Page>
  );
}

/** A text that is no signature never becomes one, while a transaction may still land. */
function isRefusedForGood(error: unknown): boolean {
  return error instanceof ApiError && error.status === 400;
}

/** One account. */
export function AccountPage() {
  const { address = '' } = useParams({ strict: false });
  return (
    <Page title="Account" lead={<AddressText address={address} link={null} />}>
      <AccountView key={address} address={address} />
    </Page>
  );
}
