import { INSTANCE_SCOPE } from '../../api/scope.ts';
import { ManageFrame } from '../../parts/manage/manage-frame.tsx';

/** Settings of the instance. */
export function SettingsPage() {
  return (
    <ManageFrame scope={INSTANCE_SCOPE} title="Settings" what="They">
      {null}
    </ManageFrame>
  );
}
