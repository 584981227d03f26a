import { Page } from '../../parts/page.tsx';

/** The controls of the embedded network. */
export function ControlsPage() {
  return (
    <Page
      title="Controls"
      lead="The clock, the prices, the faults and the snapshots of the embedded network."
    >
      {null}
    </Page>
  );
}
