import { INSTANCE_SCOPE } from '../../api/scope.ts';
import { ManageFrame } from '../../parts/manage/manage-frame.tsx';
import { LogView } from './log-view.tsx';

/** Requests of all organisations, and those without a key. */
export function InstanceLogPage() {
  return (
    <ManageFrame
      scope={INSTANCE_SCOPE}
      title="Requests"
      lead="Every request that this instance answered, also those without a key."
      what="The requests of all organisations"
    >
      <LogView scope={INSTANCE_SCOPE} />
    </ManageFrame>
  );
}
