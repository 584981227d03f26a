import { ManageFrame } from '../../parts/manage/manage-frame.tsx';
import { useOrganisationScope } from '../../parts/manage/use-organisation-scope.ts';
import { AnalyticsView } from './analytics-view.tsx';

/** Analytics of an organisation. */
export function OrganisationAnalyticsPage() {
  const scope = useOrganisationScope();
  return (
    <ManageFrame
      scope={scope}
      title="Analytics"
      lead="The requests of the organisation over time, compared with the range before."
      what="The analytics of the organisation"
    >
      <AnalyticsView key={scope.organisation} scope={scope} />
    </ManageFrame>
  );
}
