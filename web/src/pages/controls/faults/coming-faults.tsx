import type { ReactNode } from 'react';
import { sendAdmin } from '../../../api/admin.ts';
import { useAdminAnswer } from '../../../api/admin-operations.ts';
import { Button } from '../../../parts/button.tsx';
import { Disclosure } from '../../../parts/disclosure.tsx';
import { ErrorNote, Loading } from '../../../parts/status.tsx';
import { useControl } from '../activity/activity.tsx';
import { ActiveList } from './active-list.tsx';
import { describeCallFault, describeNextFault, describeRequestFault } from './fault-text.ts';
import { SchemaForm } from './schema-form.tsx';
import { StruckList, type StruckItem } from './struck-list.tsx';

const REFRESH_MS = 3_000;

/** Faults that strike the next transactions, and are then gone. */
export function NextFaults() {
  const { data, error } = useAdminAnswer('GET /admin/v1/network/faults/next', REFRESH_MS);
  return (
    <ComingFaults
      path="/admin/v1/network/faults/next"
      title="The next transactions"
      note="Strike the next transactions that match, and are then gone: one that is failed lands, pays its fee, and shows its error in the explorer."
      error={error}
      waiting={data?.waiting}
      describe={describeNextFault}
      struck={data?.struck.map(({ effect, signature, slot }) => ({
        text: `${effect} in slot ${slot}`,
        signature,
      }))}
      initial={{ effect: 'fail', count: '1' }}
    />
  );
}

/** Faults that strike the next calls of the network's RPC. */
export function CallFaults() {
  const { data, error } = useAdminAnswer('GET /admin/v1/network/faults/rpc', REFRESH_MS);
  return (
    <ComingFaults
      path="/admin/v1/network/faults/rpc"
      title="The next calls of the Solana RPC"
      note="Strike what other programs call on the Solana RPC port of this network, such as a wallet or your own service."
      error={error}
      waiting={data?.waiting}
      describe={describeCallFault}
      struck={data?.struck.map((call) => ({ text: describeCallFault({ ...call, count: 1 }), at: call.at }))}
      initial={{ method: '*', status: '429', count: '1' }}
    />
  );
}

/** Faults that strike the next requests to the products. */
export function RequestFaults() {
  const { data, error } = useAdminAnswer('GET /admin/v1/network/faults/requests', REFRESH_MS);
  return (
    <ComingFaults
      path="/admin/v1/network/faults/requests"
      title="The next requests to the products"
      note="Strike requests to the REST port, also those of the playground and of the other pages."
      error={error}
      waiting={data?.waiting}
      describe={describeRequestFault}
      struck={data?.struck.map(({ method, path, status, delayMs, at }) => ({
        text: `${method} ${path}: ${status === null ? `delayed by ${delayMs} ms` : `answered with ${status}`}`,
        at,
      }))}
      initial={{ path: '/swap/*', status: '503', count: '1' }}
    />
  );
}

function ComingFaults<Fault>({
  path,
  title,
  note,
  error,
  waiting,
  describe,
  struck = [],
  initial,
}: {
  readonly path: string;
  readonly title: string;
  readonly note: ReactNode;
  readonly error: Error | null;
  /** Undefined while they are loaded. */
  readonly waiting: readonly Fault[] | undefined;
  readonly describe: (fault: Fault) => string;
  readonly struck: readonly StruckItem[] | undefined;
  readonly initial: Readonly<Record<string, string>>;
}) {
  const add = useControl<{ readonly waiting: readonly Fault[] }, string>({
    act: (body) => sendAdmin('POST', path, JSON.parse(body)),
    nameAct: () => `Added a fault of ${title.charAt(0).toLowerCase()}${title.slice(1)}`,
    describeResult: ({ waiting: all }) => {
      const added = all.at(-1);
      return added === undefined ? 'It has struck already' : describe(added);
    },
    makeUndo: () => () => forget.mutate(),
  });
  const forget = useControl<unknown>({
    act: () => sendAdmin('DELETE', path),
    nameAct: () => `Removed the faults of ${title.charAt(0).toLowerCase()}${title.slice(1)}`,
    describeResult: () => 'None is waiting',
  });
  const failure = add.error ?? forget.error ?? error;
  return (
    <div className="fault-kind">
      <h3>{title}</h3>
      <p className="controls__note">{note}</p>
      {waiting === undefined && error === null ? <Loading what="the faults" /> : null}
      <ActiveList
        label={`Faults of ${title} that wait`}
        faults={(waiting ?? []).map((fault) => ({ text: describe(fault) }))}
      />
      {(waiting ?? []).length === 0 ? null : (
        <div>
          <Button busy={forget.isPending} onClick={() => forget.mutate()}>
            Remove these
          </Button>
        </div>
      )}
      <Disclosure summary={`Add a fault of ${title.charAt(0).toLowerCase()}${title.slice(1)}`}>
        <SchemaForm
          method="POST"
          path={path}
          initial={initial}
          action="Add the fault"
          busy={add.isPending}
          onSubmit={(body) => add.mutate(body)}
        />
      </Disclosure>
      <StruckList items={struck} />
      {failure === null ? null : <ErrorNote error={failure} />}
    </div>
  );
}
