import { sendAdmin } from '../../../api/admin.ts';
import { type AdminAnswer, callAdminOperation, useAdminAnswer } from '../../../api/admin-operations.ts';
import { Disclosure } from '../../../parts/disclosure.tsx';
import { ErrorNote, Loading } from '../../../parts/status.tsx';
import { useControl } from '../activity/activity.tsx';
import { ActiveList } from './active-list.tsx';
import { listActiveFaults } from './fault-text.ts';
import { SchemaForm } from './schema-form.tsx';

type Faults = AdminAnswer<'GET /admin/v1/network/faults'>;

/** Faults that hold for every transaction and every reading until they are removed. */
export function NetworkFaults() {
  const { data, error, refetch } = useAdminAnswer('GET /admin/v1/network/faults');
  const set = useControl<Faults, string>({
    act: (body) => sendAdmin('PUT', '/admin/v1/network/faults', JSON.parse(body)),
    nameAct: () => 'Set the faults of the network',
    describeResult: describeFaults,
    makeUndo: () => (data === undefined ? null : () => replace.mutate(data)),
  });
  const replace = useControl<Faults, Faults>({
    act: (body) => callAdminOperation('PUT /admin/v1/network/faults', { body }),
    nameAct: () => 'Changed the faults of the network',
    describeResult: describeFaults,
  });
  if (data === undefined)
    return error === null ? (
      <Loading what="the faults" />
    ) : (
      <ErrorNote error={error} onRetry={() => void refetch()} />
    );
  const active = listActiveFaults(data);
  const failure = set.error ?? replace.error;
  return (
    <div className="fault-kind">
      <h3>The whole network</h3>
      <p className="controls__note">Hold for every transaction and every reading, until they are removed.</p>
      <ActiveList
        label="Faults of the network that are on"
        faults={active.map(({ name, text }) => ({
          text,
          onRemove: () => replace.mutate({ ...data, [name]: name === 'congestion' ? '0' : 0 }),
        }))}
      />
      <Disclosure summary="Set the faults of the network">
        <SchemaForm
          key={JSON.stringify(data)}
          method="PUT"
          path="/admin/v1/network/faults"
          initial={Object.fromEntries(Object.entries(data).map(([name, value]) => [name, String(value)]))}
          action="Set the faults"
          busy={set.isPending}
          onSubmit={(body) => set.mutate(body)}
        />
      </Disclosure>
      {failure === null ? null : <ErrorNote error={failure} />}
    </div>
  );
}

function describeFaults(faults: Faults): string {
  const active = listActiveFaults(faults);
  return active.length === 0 ? 'No fault is on' : active.map(({ text }) => text).join(' ');
}
