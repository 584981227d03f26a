import './operate.css';
import { INSTANCE_SCOPE } from '../../api/scope.ts';
import { ManageFrame } from '../../parts/manage/manage-frame.tsx';
import { Overview } from './overview.tsx';

/** How the instance is: what works, what waits, and what its wallets may still spend. */
export function OperatePage() {
  return (
    <ManageFrame
      scope={INSTANCE_SCOPE}
      title="Operate"
      lead="How this instance is, now."
      what="The parts and budgets of the instance"
    >
      <Overview />
    </ManageFrame>
  );
}
