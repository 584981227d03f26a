import { ExplorerFrame } from '../frame/explorer-frame.tsx';

/** The pools that the gateway trades on. */
export function PoolsPage() {
  return (
    <ExplorerFrame title="Pools" lead="The pools that this gateway trades on.">
      {null}
    </ExplorerFrame>
  );
}
