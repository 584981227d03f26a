import { INSTANCE_SCOPE } from '../../api/scope.ts';
import { ManageFrame } from '../../parts/manage/manage-frame.tsx';
import { AuditPage } from './list/audit-page.tsx';

/** Everything that was changed on the instance. */
export function InstanceAuditPage() {
  return (
    <ManageFrame
      scope={INSTANCE_SCOPE}
      title="Audit"
      lead="Who changed what: by these pages, by a command, and what the market did by itself."
      what="The changes of all"
    >
      <AuditPage scope={INSTANCE_SCOPE} />
    </ManageFrame>
  );
}
