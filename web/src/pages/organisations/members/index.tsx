import { ManageFrame } from '../../../parts/manage/manage-frame.tsx';
import { useOrganisationScope } from '../../../parts/manage/use-organisation-scope.ts';

/** Members of an organisation. */
export function MembersPage() {
  const scope = useOrganisationScope();
  return (
    <ManageFrame scope={scope} title="Members" what="They">
      {null}
    </ManageFrame>
  );
}
