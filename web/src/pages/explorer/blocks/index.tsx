import { useParams } from '@tanstack/react-router';
import { ExplorerFrame } from '../frame/explorer-frame.tsx';

/** One block and its transactions. */
export function BlockPage() {
  const { slot = '' } = useParams({ strict: false });
  return (
    <ExplorerFrame title="Block" lead="The transactions of one slot.">
      <p>{slot}</p>
    </ExplorerFrame>
  );
}
