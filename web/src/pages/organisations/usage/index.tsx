import { ManageFrame } from '../../../parts/manage/manage-frame.tsx';
import { useOrganisationScope } from '../../../parts/manage/use-organisation-scope.ts';

/** Usage of an organisation. */
export function UsagePage() {
  const scope = useOrganisationScope();
  return (
    <ManageFrame scope={scope} title="Usage" what="They">
      {null}
    </ManageFrame>
  );
}
