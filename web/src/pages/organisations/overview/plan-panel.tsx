import '../../../parts/manage/manage.css';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { MonthCredits, OrganisationView } from '../../../api/organisations/organisation-shapes.ts';
import { formatWhole } from '../../../base/format-amount.ts';
import { escapeInvisible } from '../../../base/format-text.ts';
import { Badge } from '../../../parts/badge.tsx';
import { Button } from '../../../parts/button.tsx';
import { type Session, can } from '../../../api/session.ts';
import { Panel } from '../../../parts/page.tsx';
import { Stat, StatList } from '../../../parts/stat.tsx';
import { formatMonth, formatUse, formatUsedShare, isNearLimit } from '../text/describe-use.ts';
import { ChangePlanDialog } from './change-plan-dialog.tsx';

/** The plan of an organisation, with what is used of each of its limits. */
export function PlanPanel({
  organisation,
  viewer,
}: {
  readonly organisation: OrganisationView;
  readonly viewer: Session | null;
}) {
  const [isOpen, setOpen] = useState(false);
  const { plan, usage, credits, slug } = organisation;
  return (
    <Panel
      title="Plan"
      aside={
        can(viewer, 'plan.write') ? <Button onClick={() => setOpen(true)}>Change the plan</Button> : undefined
      }
    >
      <StatList>
        <Stat label="Plan" value={<Badge tone="accent">{escapeInvisible(plan)}</Badge>} />
        <UseStat label="Requests" use={usage.main} />
        <UseStat label="Executions" use={usage.execute} />
        <UseStat label="Landings" use={usage.submit} />
        {credits === null ? null : <CreditStats credits={credits} />}
      </StatList>
      <p className="manage-muted">
        The limits hold for all keys together, in any 60 seconds. Executions are calls such as{' '}
        <code>/swap/v2/execute</code>; landings are transactions sent to <code>/tx</code>. Credits are counted
        by calendar month in UTC:{' '}
        <Link to="/organisations/$organisation/usage" params={{ organisation: slug }}>
          what they were used for
        </Link>
        .
      </p>
      {isOpen ? <ChangePlanDialog organisation={organisation} onClose={() => setOpen(false)} /> : null}
    </Panel>
  );
}

function UseStat({
  label,
  use,
}: {
  readonly label: string;
  readonly use: OrganisationView['usage']['main'];
}) {
  const { current, limit } = use;
  return (
    <Stat
      label={`${label}, last 60 s`}
      value={formatUse(use)}
      note={current === null ? 'Valkey does not answer' : (formatUsedShare(current, limit) ?? '')}
      tone={
        current !== null && current >= limit ? 'danger' : isNearLimit(current, limit) ? 'warning' : 'plain'
      }
    />
  );
}

function CreditStats({ credits: { used, included, overage, since } }: { readonly credits: MonthCredits }) {
  const month = formatMonth(since);
  return (
    <>
      <Stat
        label={`Credits in ${month}`}
        value={formatWhole(used)}
        note={
          included === null
            ? 'unlimited'
            : `${formatUsedShare(used, included)} of ${formatWhole(included)} included`
        }
        tone={overage === 0 && isNearLimit(used, included) ? 'warning' : 'plain'}
      />
      <Stat
        label="Overage"
        value={`${formatWhole(overage)} credits`}
        note={overage > 0 ? 'beyond what the plan includes' : 'none so far'}
        tone={overage > 0 ? 'warning' : 'plain'}
      />
    </>
  );
}
