import { useQuery } from '@tanstack/react-query';
import { Button } from '../../../parts/button.tsx';
import { EmptyNote, ErrorNote, Loading } from '../../../parts/status.tsx';
import { type Tab, Tabs } from '../../../parts/tabs.tsx';
import { useThrowawayWallet } from '../../../wallet/use-throwaway-wallet.ts';
import { fetchRecentOf, type RecentTransaction } from './recent-signatures.ts';
import { TransactionTable } from './transaction-table.tsx';

const REFRESH_MS = 4_000;
const AGGREGATOR = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4';

/** The last transactions of the network: swaps, and those of the reader's wallets. */
export function RecentTransactions({
  demoWallet,
  isOutside,
}: {
  readonly demoWallet: string | null;
  /** Whether each read is a call of an outside RPC, so that lists are read again on request only. */
  readonly isOutside: boolean;
}) {
  const { wallet } = useThrowawayWallet();
  const own = wallet.kind === 'ready' ? wallet.key.address : null;
  const tabs: readonly Tab[] = [
    {
      id: 'swaps',
      label: 'Swaps',
      content: (
        <RecentList isOutside={isOutside} subject={AGGREGATOR} what="swaps" empty="Nobody has swapped yet." />
      ),
    },
    ...(own === null
      ? []
      : [
          {
            id: 'own',
            label: 'Your wallet',
            content: (
              <RecentList
                isOutside={isOutside}
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
                isOutside={isOutside}
                subject={demoWallet}
                what="transactions of the demo wallet"
                empty="The demo wallet has no transactions yet."
              />
            ),
          },
        ]),
  ];
  return <Tabs key={tabs.length} label="Which transactions" tabs={tabs} />;
}

/** @param subject - The address whose transactions are listed. */
function RecentList({
  isOutside,
  subject,
  what,
  empty,
}: {
  readonly isOutside: boolean;
  readonly subject: string;
  readonly what: string;
  readonly empty: string;
}) {
  const { data, error, refetch } = useQuery<readonly RecentTransaction[]>({
    queryKey: ['recent-transactions', subject],
    queryFn: () => fetchRecentOf(subject),
    refetchInterval: isOutside ? false : REFRESH_MS,
    retry: false,
    staleTime: isOutside ? Number.POSITIVE_INFINITY : 0,
  });
  if (data === undefined) {
    return error === null ? (
      <Loading what={what} />
    ) : (
      <ErrorNote error={error} onRetry={() => void refetch()} />
    );
  }
  if (data.length === 0) return <EmptyNote>{empty}</EmptyNote>;
  return (
    <>
      <TransactionTable caption={`The last ${what}`} transactions={data} />
      {isOutside ? <Button onClick={() => void refetch()}>Read them again</Button> : null}
    </>
  );
}
