import { useOrganisationScope } from '../../parts/manage/use-organisation-scope.ts';
import { ManageFrame } from '../../parts/manage/manage-frame.tsx';
import { LedgerPage } from './list/ledger-page.tsx';

/** The orders and fills of an organisation. */
export function OrganisationOrdersPage() {
  const scope = useOrganisationScope();
  return (
    <ManageFrame
      scope={scope}
      title="Orders"
      lead="What was given out to be signed, what became of it, and the fills of makers."
      what="The orders"
    >
      <LedgerPage scope={scope} />
    </ManageFrame>
  );
}
