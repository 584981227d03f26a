import { useQuery } from '@tanstack/react-query';
import { Panel } from '../../../parts/page.tsx';
import { EmptyNote, ErrorNote, Loading } from '../../../parts/status.tsx';
import { fetchRecentOf } from '../recent/recent-signatures.ts';
import { TransactionTable } from '../recent/transaction-table.tsx';
import { AccountFacts } from './account-facts.tsx';
import { fetchAccount } from './account-state.ts';
import { HeldTokens } from './held-tokens.tsx';

/** An account: its state, its tokens, and the last transactions that name it. */
export function AccountView({ address }: { readonly address: string }) {
  const account = useQuery({ queryKey: ['account', address], queryFn: () => fetchAccount(address) });
  if (account.data === undefined) {
    return account.error === null ? (
      <Loading what="the account" />
    ) : (
      <ErrorNote error={account.error} onRetry={() => void account.refetch()} />
    );
  }
  return (
    <>
      <Panel title="State">
        {account.data === null ? (
          <EmptyNote>
            Nothing is stored at this address. It may have been closed, or not been used yet.
          </EmptyNote>
        ) : (
          <AccountFacts state={account.data} />
        )}
      </Panel>
      <Panel title="Tokens">
        <HeldTokens owner={address} />
      </Panel>
      <Panel title="Transactions">
        <AccountTransactions address={address} />
      </Panel>
    </>
  );
}

function AccountTransactions({ address }: { readonly address: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['recent-transactions', address],
    queryFn: () => fetchRecentOf(address),
  });
  if (data === undefined) {
    return error === null ? (
      <Loading what="transactions" />
    ) : (
      <ErrorNote error={error} onRetry={() => void refetch()} />
    );
  }
  if (data.length === 0) return <EmptyNote>No transaction in the history of the network names it.</EmptyNote>;
  return <TransactionTable caption="The last transactions that name the account" transactions={data} />;
}
