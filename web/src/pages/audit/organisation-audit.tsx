import { ManageFrame } from '../../parts/manage/manage-frame.tsx';
import { useOrganisationScope } from '../../parts/manage/use-organisation-scope.ts';
import { AuditPage } from './list/audit-page.tsx';

/** Everything that was changed in an organisation. */
export function OrganisationAuditPage() {
  const scope = useOrganisationScope();
  return (
    <ManageFrame
      scope={scope}
      title="Audit"
      lead="Who changed what in the organisation. Changes of makers and of the instance are the operator’s."
      what="The changes"
      right="audit.read"
    >
      <AuditPage key={scope.organisation} scope={scope} />
    </ManageFrame>
  );
}
