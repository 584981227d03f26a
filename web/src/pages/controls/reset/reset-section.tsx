import { useState } from 'react';
import { type AdminAnswer, callAdminOperation } from '../../../api/admin-operations.ts';
import { Button } from '../../../parts/button.tsx';
import { ConfirmDialog } from '../../../parts/confirm-dialog.tsx';
import { Panel } from '../../../parts/page.tsx';
import { PlaygroundLink } from '../../../parts/raw-answer.tsx';
import { ErrorNote } from '../../../parts/status.tsx';
import { useControl } from '../activity/activity.tsx';

/** Puts the network back to its beginning. */
export function ResetSection() {
  const [isAsking, setAsking] = useState(false);
  const reset = useControl<AdminAnswer<'POST /admin/v1/network/reset'>>({
    act: () => callAdminOperation('POST /admin/v1/network/reset', {}),
    nameAct: () => 'Reset the network',
    describeResult: ({ slot }) => `It began again at slot ${slot}`,
  });
  return (
    <section id="reset">
      <Panel title="Reset">
        <p className="controls__note">
          Accounts, prices and the clock become those of a network that is started now, and all faults are
          removed. Slots, history, snapshots, keys and organisations stay. Single accounts can be written too:{' '}
          <PlaygroundLink side="admin" method="POST" path="/admin/v1/network/accounts">
            write accounts in the playground
          </PlaygroundLink>
          .
        </p>
        <div>
          <Button busy={reset.isPending} onClick={() => setAsking(true)}>
            Reset the network
          </Button>
        </div>
        {reset.error === null ? null : <ErrorNote error={reset.error} />}
      </Panel>
      {isAsking ? (
        <ConfirmDialog
          title="Reset the network?"
          action="Reset it"
          typed="reset"
          onConfirm={() => reset.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>Every account goes back to its beginning. What was not saved as a snapshot is lost.</p>
        </ConfirmDialog>
      ) : null}
    </section>
  );
}
