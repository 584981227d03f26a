import { INSTANCE_SCOPE } from '../../api/scope.ts';
import { ManageFrame } from '../../parts/manage/manage-frame.tsx';

/** Orders of the instance. */
export function InstanceOrdersPage() {
  return (
    <ManageFrame scope={INSTANCE_SCOPE} title="Orders" what="They">
      {null}
    </ManageFrame>
  );
}
