import { INSTANCE_SCOPE } from '../../api/scope.ts';
import { ManageFrame } from '../../parts/manage/manage-frame.tsx';

/** Landings of the instance. */
export function LandingsPage() {
  return (
    <ManageFrame scope={INSTANCE_SCOPE} title="Landings" what="They">
      {null}
    </ManageFrame>
  );
}
