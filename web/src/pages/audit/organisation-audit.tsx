import { ManageFrame } from '../../parts/manage/manage-frame.tsx';
import { useOrganisationScope } from '../../parts/manage/use-organisation-scope.ts';

/** Audit of an organisation. */
export function OrganisationAuditPage() {
  const scope = useOrganisationScope();
  return (
    <ManageFrame scope={scope} title="Audit" what="They">
      {null}
    </ManageFrame>
  );
}
