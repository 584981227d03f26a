import { ManageFrame } from '../../parts/manage/manage-frame.tsx';
import { useOrganisationScope } from '../../parts/manage/use-organisation-scope.ts';

/** Firewall of an organisation. */
export function FirewallPage() {
  const scope = useOrganisationScope();
  return (
    <ManageFrame scope={scope} title="Firewall" what="They">
      {null}
    </ManageFrame>
  );
}
