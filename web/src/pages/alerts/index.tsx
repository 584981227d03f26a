import { INSTANCE_SCOPE } from '../../api/scope.ts';
import { ManageFrame } from '../../parts/manage/manage-frame.tsx';

/** Alerts of the instance. */
export function AlertsPage() {
  return (
    <ManageFrame scope={INSTANCE_SCOPE} title="Alerts" what="They">
      {null}
    </ManageFrame>
  );
}
