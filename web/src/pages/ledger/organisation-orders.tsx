import { ManageFrame } from '../../parts/manage/manage-frame.tsx';
import { useOrganisationScope } from '../../parts/manage/use-organisation-scope.ts';

/** Orders of an organisation. */
export function OrganisationOrdersPage() {
  const scope = useOrganisationScope();
  return (
    <ManageFrame scope={scope} title="Orders" what="They">
      {null}
    </ManageFrame>
  );
}
