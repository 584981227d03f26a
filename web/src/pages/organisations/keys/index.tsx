import { ManageFrame } from '../../../parts/manage/manage-frame.tsx';
import { useOrganisationScope } from '../../../parts/manage/use-organisation-scope.ts';

/** Keys of an organisation. */
export function KeysPage() {
  const scope = useOrganisationScope();
  return (
    <ManageFrame scope={scope} title="Keys" what="They">
      {null}
    </ManageFrame>
  );
}
