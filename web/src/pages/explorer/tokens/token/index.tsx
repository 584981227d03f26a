import { useParams } from '@tanstack/react-router';
import { ExplorerFrame } from '../../frame/explorer-frame.tsx';

/** One token. */
export function TokenPage() {
  const { mint = '' } = useParams({ strict: false });
  return (
    <ExplorerFrame title="Token" lead="One token of the network.">
      <p>{mint}</p>
    </ExplorerFrame>
  );
}
