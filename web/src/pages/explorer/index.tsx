import { useInstance } from '../../api/instance.ts';
import { Panel } from '../../parts/page.tsx';
import { EmptyNote, Loading } from '../../parts/status.tsx';
import { ExplorerFrame } from './frame/explorer-frame.tsx';
import { ExplorerSearch } from './frame/explorer-search.tsx';
import { OutsideNetwork } from './outside/outside-network.tsx';
import { RecentTransactions } from './recent/recent-transactions.tsx';
import { LiveNetwork } from './slots/live-network.tsx';

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
      {instance === undefined ? null : <LiveNetwork isOutside={instance.network.kind === 'rpc'} />}
      <Panel title="Last transactions">
        {instance === undefined ? (
          <Loading what="the network" />
        ) : instance.network.kind === 'embedded' && instance.production ? (
          <EmptyNote>
            With production, the network is not read for lists. A transaction that landed is shown by its
            signature.
          </EmptyNote>
        ) : (
          <RecentTransactions demoWallet={instance.demoWallet} isOutside={instance.network.kind === 'rpc'} />
        )}
      </Panel>
      {instance?.network.kind === 'rpc' ? <OutsideNetwork /> : null}
    </ExplorerFrame>
  );
}
