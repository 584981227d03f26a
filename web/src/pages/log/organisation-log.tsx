import { ManageFrame } from '../../parts/manage/manage-frame.tsx';
import { useOrganisationScope } from '../../parts/manage/use-organisation-scope.ts';
import { LogView } from './log-view.tsx';

/** Requests of an organisation. */
export function OrganisationLogPage() {
  const scope = useOrganisationScope();
  return (
    <ManageFrame
      scope={scope}
      title="Requests"
      lead="Every request with a key of the organisation."
      what="The requests of the organisation"
    >
      <LogView key={scope.organisation} scope={scope} />
    </ManageFrame>
  );
}
