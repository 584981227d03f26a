import { INSTANCE_SCOPE } from '../../api/scope.ts';
import { ManageFrame } from '../../parts/manage/manage-frame.tsx';

/** Backups of the instance. */
export function BackupsPage() {
  return (
    <ManageFrame scope={INSTANCE_SCOPE} title="Backups" what="They">
      {null}
    </ManageFrame>
  );
}
