import { useQuery } from '@tanstack/react-query';
import { EmptyNote, ErrorNote, Loading } from '../../../parts/status.tsx';
import { type Tab, Tabs } from '../../../parts/tabs.tsx';
import { useThrowawayWallet } from '../../../wallet/use-throwaway-wallet.ts';
import { fetchRecentBlocks, fetchRecentOf, type RecentTransaction } from './recent-signatures.ts';
import { TransactionTable } from './transaction-table.tsx';

const REFRESH_MS = 4_000;
const AGGREGATOR = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4';

/** The last transactions of the network: swaps, those of the reader's wallets, and all. */
export function RecentTransactions({ demoWallet }: { readonly demoWallet: string | null }) {
  const { wallet } = useThrowawayWallet();
  const own = wallet.kind === 'ready' ? wallet.key.address : null;
  const tabs: readonly Tab[] = [
    {
      id: 'swaps',
      label: 'Swaps',
      content: <RecentList subject={AGGREGATOR} what="swaps" empty="Nobody has swapped yet." />,
    },
    ...(own === null
      ? []
      : [
          {
            id: 'own',
            label: 'Your wallet',
            content: (
              <RecentList
                subject={own}
                what="transactions of your wallet"
                empty="The wallet of this browser has no transactions yet."
              />
            ),
          },
        ]),
    ...(demoWallet === null
      ? []
      : [
          {
            id: 'demo',
            label: 'Demo wallet',
            content: (
              <RecentList
                subject={demoWallet}
                what="transactions of the demo wallet"
                empty="The demo wallet has no transactions yet."
              />
            ),
          },
        ]),
    {
      id: 'all',
      label: 'All',
      content: (
        <RecentList subject={null} what="transactions" empty="The last blocks have no transactions." />
      ),
    },
  ];
  return <Tabs key={tabs.length} label="Which transactions" tabs={tabs} />;
}

/** @param subject - The address whose transactions are listed; null: all of the last blocks. */
function RecentList({
  subject,
  what,
  empty,
}: {
  readonly subject: string | null;
  readonly what: string;
  readonly empty: string;
}) {
  const { data, error, refetch } = useQuery<readonly RecentTransaction[]>({
    queryKey: ['recent-transactions', subject],
    queryFn: () => (subject === null ? fetchRecentBlocks() : fetchRecentOf(subject)),
    refetchInterval: REFRESH_MS,
  });
  if (data === undefined) {
    return error === null ? (
      <Loading what={what} />
    ) : (
      <ErrorNote error={error} onRetry={() => void refetch()} />
    );
  }
  if (data.length === 0) return <EmptyNote>{empty}</EmptyNote>;
  return <TransactionTable caption={`The last ${what}`} transactions={data} />;
}
