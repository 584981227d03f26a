import { Navigate } from '@tanstack/react-router';
import { AdminGate } from '../../parts/admin-gate.tsx';
import { useSession } from '../../api/session.ts';
import { Page } from '../../parts/page.tsx';
import { Loading } from '../../parts/status.tsx';
import { OrganisationList } from './list/organisation-list.tsx';

/** All organisations for the operator. A member is led to its own. */
export function OrganisationsPage() {
  return (
    <Page
      wide
      title="Organisations"
      lead="Who has keys here, what they may send, and what they have used this month."
    >
      <AdminGate what="The organisations" right="account.read">
        <ListOrOwn />
      </AdminGate>
    </Page>
  );
}

function ListOrOwn() {
  const viewer = useSession();
  if (viewer === null) return <Loading what="what you may see" />;
  if (viewer.organisation === null) return <OrganisationList />;
  return (
    <Navigate to="/organisations/$organisation" params={{ organisation: viewer.organisation }} replace />
  );
}
