import { INSTANCE_SCOPE } from '../../api/scope.ts';
import { ManageFrame } from '../../parts/manage/manage-frame.tsx';

/** Plans of the instance. */
export function PlansPage() {
  return (
    <ManageFrame scope={INSTANCE_SCOPE} title="Plans" what="They">
      {null}
    </ManageFrame>
  );
}
