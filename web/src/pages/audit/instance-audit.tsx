import { INSTANCE_SCOPE } from '../../api/scope.ts';
import { ManageFrame } from '../../parts/manage/manage-frame.tsx';

/** Audit of the instance. */
export function InstanceAuditPage() {
  return (
    <ManageFrame scope={INSTANCE_SCOPE} title="Audit" what="They">
      {null}
    </ManageFrame>
  );
}
