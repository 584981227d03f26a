import { INSTANCE_SCOPE } from '../../api/scope.ts';
import { ManageFrame } from '../../parts/manage/manage-frame.tsx';

/** Analytics of the instance. */
export function InstanceAnalyticsPage() {
  return (
    <ManageFrame scope={INSTANCE_SCOPE} title="Analytics" what="They">
      {null}
    </ManageFrame>
  );
}
