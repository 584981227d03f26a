import { INSTANCE_SCOPE } from '../../api/scope.ts';
import { ManageFrame } from '../../parts/manage/manage-frame.tsx';
import { AnalyticsView } from './analytics-view.tsx';

/** Analytics of all requests. */
export function InstanceAnalyticsPage() {
  return (
    <ManageFrame
      scope={INSTANCE_SCOPE}
      title="Analytics"
      lead="All requests over time, compared with the range before."
      what="The analytics of all organisations"
    >
      <AnalyticsView scope={INSTANCE_SCOPE} />
    </ManageFrame>
  );
}
