import { INSTANCE_SCOPE } from '../../api/scope.ts';
import { ManageFrame } from '../../parts/manage/manage-frame.tsx';

/** Requests of the instance. */
export function InstanceLogPage() {
  return (
    <ManageFrame scope={INSTANCE_SCOPE} title="Requests" what="They">
      {null}
    </ManageFrame>
  );
}
