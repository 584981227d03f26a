import { sendAdmin } from '../../../api/admin.ts';
import { Button } from '../../../parts/button.tsx';
import { Panel } from '../../../parts/page.tsx';
import { ErrorNote } from '../../../parts/status.tsx';
import { useControl } from '../activity/activity.tsx';
import { CallFaults, NextFaults, RequestFaults } from './coming-faults.tsx';
import { NetworkFaults } from './network-faults.tsx';

const COMING = ['next', 'rpc', 'requests'] as const;

/** What goes wrong on purpose. */
export function FaultsSection() {
  const clear = useControl<unknown>({
    act: () =>
      Promise.all([
        sendAdmin('PUT', '/admin/v1/network/faults', {}),
        ...COMING.map((kind) => sendAdmin('DELETE', `/admin/v1/network/faults/${kind}`)),
      ]),
    nameAct: () => 'Removed all faults',
    describeResult: () => 'Everything works as it should',
  });
  return (
    <section id="faults">
      <Panel
        title="Faults"
        aside={
          <Button busy={clear.isPending} onClick={() => clear.mutate()}>
            Remove all faults
          </Button>
        }
      >
        {clear.error === null ? null : <ErrorNote error={clear.error} />}
        <NetworkFaults />
        <NextFaults />
        <RequestFaults />
        <CallFaults />
      </Panel>
    </section>
  );
}
