import { ManageFrame } from '../../parts/manage/manage-frame.tsx';
import { useOrganisationScope } from '../../parts/manage/use-organisation-scope.ts';

/** Analytics of an organisation. */
export function OrganisationAnalyticsPage() {
  const scope = useOrganisationScope();
  return (
    <ManageFrame scope={scope} title="Analytics" what="They">
      {null}
    </ManageFrame>
  );
}
