import './controls.css';
import { type InstanceInfo, useInstance } from '../../api/instance.ts';
import { AdminGate, OtherPortNote } from '../../parts/admin-gate.tsx';
import { Page } from '../../parts/page.tsx';
import { EmptyNote, ErrorNote, Loading } from '../../parts/status.tsx';
import { ActivityLog } from './activity/activity-log.tsx';
import { ActivityProvider } from './activity/activity.tsx';
import { ClockSection } from './clock/clock-section.tsx';
import { FaucetSection } from './faucet/faucet-section.tsx';
import { FaultsSection } from './faults/faults-section.tsx';
import { PricesSection } from './prices/prices-section.tsx';
import { ResetSection } from './reset/reset-section.tsx';
import { SnapshotsSection } from './snapshots/snapshots-section.tsx';

const SECTIONS = [
  { id: 'prices', label: 'Prices' },
  { id: 'clock', label: 'Clock' },
  { id: 'faults', label: 'Faults' },
  { id: 'snapshots', label: 'Snapshots' },
  { id: 'faucet', label: 'Faucet' },
  { id: 'reset', label: 'Reset' },
] as const;

/** The controls of the embedded network: what a test needs to happen, happens here. */
export function ControlsPage() {
  const { data: instance, error, refetch } = useInstance();
  return (
    <Page
      title="Controls"
      lead="Move the prices and the clock of the embedded network, let things fail, and go back to where you were."
      wide
    >
      {instance === undefined ? (
        error === null ? (
          <Loading what="what runs here" />
        ) : (
          <ErrorNote error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <Controls instance={instance} />
      )}
    </Page>
  );
}

function Controls({ instance }: { readonly instance: InstanceInfo }) {
  if (instance.network.kind !== 'embedded')
    return (
      <EmptyNote>
        There is nothing to control: this instance works on the network of an outside RPC, whose prices and
        clock are real.
      </EmptyNote>
    );
  if (instance.production)
    return <EmptyNote>There are no controls: this instance runs in production.</EmptyNote>;
  if (instance.port !== 'admin')
    return <OtherPortNote what="The controls of the network" instance={instance} />;
  if (!instance.controls)
    return <EmptyNote>The controls are shown to the machine on which this instance runs.</EmptyNote>;
  return (
    <AdminGate what="The controls of the network">
      <ActivityProvider>
        <nav className="controls__sections" aria-label="Controls">
          {SECTIONS.map(({ id, label }) => (
            <a key={id} href={`#${id}`}>
              {label}
            </a>
          ))}
        </nav>
        <div className="controls__columns">
          <div className="controls__main">
            <PricesSection />
            <ClockSection />
            <FaultsSection />
            <SnapshotsSection />
            <FaucetSection />
            <ResetSection />
          </div>
          <aside className="controls__aside" aria-label="What you did">
            <ActivityLog />
          </aside>
        </div>
      </ActivityProvider>
    </AdminGate>
  );
}
