import './check.css';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { formatBriefDuration, formatUtcTime } from '../../../base/format-time.ts';
import { useDocsUrl, useInstance } from '../../../api/instance.ts';
import { escapeInvisible } from '../../../base/format-text.ts';
import { Badge } from '../../../parts/badge.tsx';
import { Button } from '../../../parts/button.tsx';
import { Field } from '../../../parts/field.tsx';
import { Panel } from '../../../parts/page.tsx';
import { EmptyNote, ErrorNote, Loading } from '../../../parts/status.tsx';
import type { CheckPlan, MakerCheck } from '../source/check-shapes.ts';
import { type CheckChoice, countOutcomes, describeResult, listPlanned } from './checklist.ts';
import { SituationList } from './situation-list.tsx';
import { useCheckPlan, useMakerCheck, useStartCheck } from './use-check.ts';

/** The longest time that a maker has for a swap that it must not sign. */
const MAX_WAIT = 10;

/** The conformance check of a maker: it is started here, and read as it runs. */
export function CheckPanel({
  maker,
  hasWebhook,
  isOperator,
}: {
  readonly maker: string;
  readonly hasWebhook: boolean;
  readonly isOperator: boolean;
}) {
  const { data: instance } = useInstance();
  const docs = useDocsUrl();
  if (!isOperator) {
    return (
      <Panel title="Conformance check">
        <EmptyNote>
          <p>
            The operator starts it, on the admin port or with <code>sluice maker check {maker}</code>. What it
            looks at is in <a href={`${docs}/makers#check-a-maker`}>Check a maker</a>.
          </p>
        </EmptyNote>
      </Panel>
    );
  }
  if (instance?.controls === false) {
    return (
      <Panel title="Conformance check">
        <EmptyNote>
          <p>
            A check trades tokens of the embedded network. There are none over an outside RPC and with{' '}
            <code>production</code>, and it is started from the machine that Sluice runs on.
          </p>
        </EmptyNote>
      </Panel>
    );
  }
  return <CheckRunner maker={maker} hasWebhook={hasWebhook} />;
}

function CheckRunner({ maker, hasWebhook }: { readonly maker: string; readonly hasWebhook: boolean }) {
  const plan = useCheckPlan();
  const isKnown = plan.data?.running === maker || plan.data?.checked.includes(maker) === true;
  const check = useMakerCheck(maker, isKnown);
  const error = check.error ?? plan.error;
  const retry = () => void Promise.all([plan.refetch(), ...(isKnown ? [check.refetch()] : [])]);
  if (plan.data === undefined || (isKnown && check.data === undefined))
    return error === null ? <Loading what="the check" /> : <ErrorNote error={error} onRetry={retry} />;
  return (
    <>
      {error === null ? null : <ErrorNote error={error} onRetry={retry} />}
      <CheckForm maker={maker} hasWebhook={hasWebhook} plan={plan.data} check={check.data ?? null} />
    </>
  );
}

function CheckForm({
  maker,
  hasWebhook,
  plan,
  check,
}: {
  readonly maker: string;
  readonly hasWebhook: boolean;
  readonly plan: CheckPlan;
  readonly check: MakerCheck | null;
}) {
  const [kind, setKind] = useState<CheckChoice>(
    hasWebhook && check?.kind !== 'streams' ? 'webhook' : 'streams',
  );
  const [waitSeconds, setWait] = useState('3');
  const { mutate, isPending, error } = useStartCheck(maker);
  const isRunning = check?.running === true;
  const other = plan.running !== null && plan.running !== maker ? plan.running : null;
  const wait = Number(waitSeconds);
  const isWaitGood = Number.isInteger(wait) && wait >= 1 && wait <= MAX_WAIT;
  return (
    <>
      <Panel title="Conformance check">
        <p>
          The check puts the maker through every situation on the embedded network, over its own connection,
          and counts nothing for its conduct. One check runs at a time.
        </p>
        <form
          className="check-form"
          onSubmit={(event) => {
            event.preventDefault();
            if (isWaitGood) mutate({ kind, waitSeconds: wait });
          }}
        >
          <Field label="What is checked" help={hasWebhook ? undefined : 'The maker has no webhook.'}>
            {(control) => (
              <select
                {...control}
                value={kind}
                onChange={(event) => setKind(event.target.value as CheckChoice)}
              >
                <option value="streams">Its streams</option>
                <option value="webhook" disabled={!hasWebhook}>
                  Its webhook
                </option>
              </select>
            )}
          </Field>
          <Field
            label="Seconds to wait"
            help="How long it has for each swap that it must not sign."
            error={isWaitGood ? null : `a whole number from 1 to ${MAX_WAIT}`}
          >
            {(control) => (
              <input
                {...control}
                inputMode="numeric"
                value={waitSeconds}
                onChange={(event) => setWait(event.target.value)}
              />
            )}
          </Field>
          <Button
            type="submit"
            kind="primary"
            busy={isPending || isRunning}
            disabled={!isWaitGood || other !== null}
          >
            {isRunning ? 'The check is under way' : check === null ? 'Start the check' : 'Check again'}
          </Button>
        </form>
        {other === null ? null : (
          <p className="maker-note maker-note--warning">
            A check of another maker is under way:{' '}
            <Link to="/makers/$maker" params={{ maker: other }} search={{ tab: 'check' } as never}>
              {escapeInvisible(other)}
            </Link>
            . This one can be started when it is over.
          </p>
        )}
        {error === null || isRunning ? null : <ErrorNote error={error} />}
      </Panel>
      {check === null ? (
        <Panel title="What is checked">
          <SituationList situations={listPlanned(plan, kind)} kind={kind} />
        </Panel>
      ) : (
        <CheckResult check={check} />
      )}
    </>
  );
}

function CheckResult({ check }: { readonly check: MakerCheck }) {
  const { running, passed, kind, startedAt, endedAt, situations } = check;
  const { done, total } = countOutcomes(situations);
  return (
    <Panel
      title={kind === 'webhook' ? 'Check of its webhook' : 'Check of its streams'}
      aside={
        running ? (
          <Badge tone="accent">running</Badge>
        ) : passed ? (
          <Badge tone="good">passed</Badge>
        ) : (
          <Badge tone="danger">not passed</Badge>
        )
      }
    >
      <div className="check-result">
        <p role="status" data-testid="check-result">
          {describeResult(check)}
        </p>
        <p className="check-result__time">
          Started {formatUtcTime(startedAt)}
          {endedAt === null ? '' : `, took ${formatBriefDuration(endedAt - startedAt)}`}
        </p>
        {running ? <progress max={total} value={done} aria-label="Situations that are over" /> : null}
      </div>
      <SituationList situations={situations} kind={kind} />
    </Panel>
  );
}
