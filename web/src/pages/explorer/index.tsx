import { useInstance } from '../../api/instance.ts';
import { Panel } from '../../parts/page.tsx';
import { EmptyNote, Loading } from '../../parts/status.tsx';
import { ExplorerFrame } from './frame/explorer-frame.tsx';
import { ExplorerSearch } from './frame/explorer-search.tsx';
import { RecentTransactions } from './recent/recent-transactions.tsx';

/** Finds transactions and accounts of the network. */
export function ExplorerPage() {
  const { data: instance } = useInstance();
  return (
    <ExplorerFrame
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
    </ExplorerFrame>
  );
}
