import { ManageFrame } from '../../../parts/manage/manage-frame.tsx';
import { useOrganisationScope } from '../../../parts/manage/use-organisation-scope.ts';

/** Overview of an organisation. */
export function OrganisationPage() {
  const scope = useOrganisationScope();
  return (
    <ManageFrame scope={scope} title="Overview" what="They">
      {null}
    </ManageFrame>
  );
}
