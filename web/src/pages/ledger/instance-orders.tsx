import { INSTANCE_SCOPE } from '../../api/scope.ts';
import { ManageFrame } from '../../parts/manage/manage-frame.tsx';
import { LedgerPage } from './list/ledger-page.tsx';

/** The orders and fills of all organisations. */
export function InstanceOrdersPage() {
  return (
    <ManageFrame
      scope={INSTANCE_SCOPE}
      title="Orders"
      lead="What was given out to be signed, what became of it, and the fills of makers."
      what="The orders"
    >
      <LedgerPage scope={INSTANCE_SCOPE} />
    </ManageFrame>
  );
}
