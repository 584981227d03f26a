import { ManageFrame } from '../../parts/manage/manage-frame.tsx';
import { useOrganisationScope } from '../../parts/manage/use-organisation-scope.ts';

/** Order of an organisation. */
export function OrganisationOrderPage() {
  const scope = useOrganisationScope();
  return (
    <ManageFrame scope={scope} title="Order" what="They">
      {null}
    </ManageFrame>
  );
}
