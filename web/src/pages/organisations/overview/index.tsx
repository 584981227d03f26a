import { useOrganisation } from '../../../api/organisations/use-organisations.ts';
import { shortenName } from '../../../base/format-text.ts';
import { ManageFrame } from '../../../parts/manage/manage-frame.tsx';
import { useOrganisationScope } from '../../../parts/manage/use-organisation-scope.ts';
import { useSession } from '../../../api/session.ts';
import { ErrorNote, Loading } from '../../../parts/status.tsx';
import { DeleteOrganisation } from './delete-organisation.tsx';
import { PlanPanel } from './plan-panel.tsx';
import { TeamsPanel } from './teams-panel.tsx';

/** What an organisation has, and what it uses of its plan. */
export function OrganisationPage() {
  const scope = useOrganisationScope();
  const name = shortenName(scope.organisation, 48);
  return (
    <ManageFrame
      scope={scope}
      title={name}
      lead="Its plan and what it uses of it, and its teams, which have the keys."
      what={`The plan and the teams of ${name}`}
    >
      <Overview key={scope.organisation} organisation={scope.organisation} />
    </ManageFrame>
  );
}

function Overview({ organisation }: { readonly organisation: string }) {
  const { data, error, refetch } = useOrganisation(organisation);
  const viewer = useSession();
  if (data === undefined)
    return error === null ? (
      <Loading what="the organisation" />
    ) : (
      <ErrorNote error={error} onRetry={() => void refetch()} />
    );
  return (
    <>
      {error === null ? null : <ErrorNote error={error} onRetry={() => void refetch()} />}
      <PlanPanel organisation={data} viewer={viewer} />
      <TeamsPanel organisation={organisation} viewer={viewer} />
      <DeleteOrganisation organisation={organisation} viewer={viewer} />
    </>
  );
}
