import { useCredential } from '../../api/credentials.ts';
import { useInstance } from '../../api/instance.ts';
import { AdminGate } from '../../parts/admin-gate.tsx';
import { Page } from '../../parts/page.tsx';
import { Loading } from '../../parts/status.tsx';
import { MakerList } from './list/maker-list.tsx';
import { MAKER_KEY } from './source/maker-source.ts';
import { OwnMaker } from './own/own-maker.tsx';

/** The makers that quote here: all of them for the operator, on the other port the one whose key is entered. */
export function MakersPage() {
  const { data: instance, isPending } = useInstance();
  const [key] = useCredential(MAKER_KEY);
  // Which page it is depends on the port.
  if (isPending) {
    return (
      <Page title="Makers">
        <Loading what="what runs here" />
      </Page>
    );
  }
  if (instance?.port === 'admin') {
    return (
      <Page
        wide
        title="Makers"
        lead="Who quotes on this instance, who gets orders, and who does not and why."
      >
        <AdminGate what="The makers">
          <MakerList />
        </AdminGate>
      </Page>
    );
  }
  return (
    <Page
      wide={key !== ''}
      title="Makers"
      lead="What a maker sees of itself: its books, its fills, and why it lost."
    >
      <OwnMaker />
    </Page>
  );
}
