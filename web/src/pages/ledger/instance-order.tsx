import { INSTANCE_SCOPE } from '../../api/scope.ts';
import { ManageFrame } from '../../parts/manage/manage-frame.tsx';

/** Order of the instance. */
export function InstanceOrderPage() {
  return (
    <ManageFrame scope={INSTANCE_SCOPE} title="Order" what="They">
      {null}
    </ManageFrame>
  );
}
