import '../../parts/manage/manage.css';
import { useState } from 'react';
import type { KeylessLine, PlanLine } from '../../api/organisations/organisation-shapes.ts';
import { usePlans } from '../../api/organisations/use-organisations.ts';
import { INSTANCE_SCOPE } from '../../api/scope.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { ManageFrame } from '../../parts/manage/manage-frame.tsx';
import { can, useSession } from '../../api/session.ts';
import { Panel } from '../../parts/page.tsx';
import { ErrorNote, Loading } from '../../parts/status.tsx';
import { ChangeLimitsDialog } from './change-limits-dialog.tsx';
import { buildLimitColumns, buildPlanColumns, type LimitQuestion } from './plan-columns.tsx';
import { ResetLimitsDialog } from './reset-limits-dialog.tsx';

/** The limits of plans and of callers without a key, which the operator can change. */
export function PlansPage() {
  return (
    <ManageFrame
      scope={INSTANCE_SCOPE}
      title="Plans"
      lead="How much is admitted in any 60 seconds, for all keys of an organisation together, and for each caller without a key."
      what="The limits of plans"
    >
      <Plans />
    </ManageFrame>
  );
}

function Plans() {
  const { data, error, refetch } = usePlans();
  const viewer = useSession();
  const [question, ask] = useState<LimitQuestion | null>(null);
  const close = () => ask(null);
  const onAsk = can(viewer, 'instance.write') ? ask : null;
  if (data === undefined)
    return error === null ? (
      <Loading what="the plans" />
    ) : (
      <ErrorNote error={error} onRetry={() => void refetch()} />
    );
  return (
    <>
      {error === null ? null : <ErrorNote error={error} onRetry={() => void refetch()} />}
      <Panel title="Plans of organisations">
        <DataTable<PlanLine>
          caption="Plans of organisations"
          columns={buildPlanColumns(onAsk)}
          rows={data.plans}
          rowKey={({ name }) => name}
        />
      </Panel>
      <Panel title="Callers without a key">
        <DataTable<KeylessLine>
          caption="Callers without a key"
          columns={buildLimitColumns(onAsk)}
          rows={data.withoutKey}
          rowKey={({ name }) => name}
        />
        <p className="manage-muted">
          <code>keyless</code> is each address that sends no key, and <code>keyless-local</code> is callers on
          the machine of the instance. With 0 requests a key is required. The usual limits of both come from
          the settings.
        </p>
      </Panel>
      <p className="manage-muted">
        A change holds at once here, and within 15 seconds at other instances on the same database. Nothing
        that was admitted is refused afterwards: whoever is above a lowered limit waits until its requests are
        60 seconds old.
      </p>
      {question?.kind === 'change' ? <ChangeLimitsDialog line={question.line} onClose={close} /> : null}
      {question?.kind === 'reset' ? <ResetLimitsDialog line={question.line} onClose={close} /> : null}
    </>
  );
}
