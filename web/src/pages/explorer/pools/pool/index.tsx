import { useParams } from '@tanstack/react-router';
import { ExplorerFrame } from '../../frame/explorer-frame.tsx';

/** One pool. */
export function PoolPage() {
  const { address = '' } = useParams({ strict: false });
  return (
    <ExplorerFrame title="Pool" lead="One pool of the network.">
      <p>{address}</p>
    </ExplorerFrame>
  );
}
