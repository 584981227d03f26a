import { ManageFrame } from '../../parts/manage/manage-frame.tsx';
import { useOrganisationScope } from '../../parts/manage/use-organisation-scope.ts';

/** Requests of an organisation. */
export function OrganisationLogPage() {
  const scope = useOrganisationScope();
  return (
    <ManageFrame scope={scope} title="Requests" what="They">
      {null}
    </ManageFrame>
  );
}
