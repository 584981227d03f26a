import { INSTANCE_SCOPE } from '../../api/scope.ts';
import { ManageFrame } from '../../parts/manage/manage-frame.tsx';

/** Operate of the instance. */
export function OperatePage() {
  return (
    <ManageFrame scope={INSTANCE_SCOPE} title="Operate" what="They">
      {null}
    </ManageFrame>
  );
}
