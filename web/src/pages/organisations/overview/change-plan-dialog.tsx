import { useState } from 'react';
import { sendAdmin } from '../../../api/admin.ts';
import type { OrganisationView, PlanLine } from '../../../api/organisations/organisation-shapes.ts';
import { usePlans } from '../../../api/organisations/use-organisations.ts';
import { toScopePath } from '../../../api/scope.ts';
import { escapeInvisible } from '../../../base/format-text.ts';
import { Button } from '../../../parts/button.tsx';
import { Field } from '../../../parts/field.tsx';
import { useChange } from '../../../parts/manage/use-change.ts';
import { QuestionDialog } from '../../../parts/question-dialog.tsx';
import { ErrorNote, Loading } from '../../../parts/status.tsx';
import { listPlanEffects } from './plan-effects.ts';

/** Chooses another plan, and says what changes with it. */
export function ChangePlanDialog({
  organisation,
  onClose,
}: {
  readonly organisation: OrganisationView;
  readonly onClose: () => void;
}) {
  const { data, error } = usePlans();
  return (
    <QuestionDialog title="Change the plan" onClose={onClose}>
      {data === undefined ? (
        error === null ? (
          <Loading what="the plans" />
        ) : (
          <ErrorNote error={error} />
        )
      ) : (
        <PlanForm organisation={organisation} plans={data.plans} onClose={onClose} />
      )}
    </QuestionDialog>
  );
}

function PlanForm({
  organisation,
  plans,
  onClose,
}: {
  readonly organisation: OrganisationView;
  readonly plans: readonly PlanLine[];
  readonly onClose: () => void;
}) {
  const { slug, plan: current, credits } = organisation;
  const [name, setName] = useState(current);
  const change = useChange();
  const [from, to] = [current, name].map((each) => plans.find((plan) => plan.name === each));
  const isOther = name !== current;
  return (
    <form
      className="question__form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isOther) return;
        const path = toScopePath({ kind: 'organisation', organisation: slug }, '');
        change.start(() => sendAdmin('PATCH', path, { plan: name }), onClose);
      }}
    >
      <Field label="Plan">
        {(control) => (
          <select {...control} value={name} onChange={({ target }) => setName(target.value)}>
            {plans.map((plan) => (
              <option key={plan.name} value={plan.name}>
                {plan.name === current ? `${plan.name} (now)` : plan.name}
              </option>
            ))}
          </select>
        )}
      </Field>
      {from === undefined || to === undefined || !isOther ? (
        <p className="manage-muted">
          {escapeInvisible(slug)} has the plan {escapeInvisible(current)}.
        </p>
      ) : (
        <ul className="manage-list" aria-label="What changes">
          {listPlanEffects(from, to, credits).map((effect) => (
            <li key={effect}>{effect}</li>
          ))}
        </ul>
      )}
      {change.error === null ? null : <ErrorNote error={change.error} />}
      <div className="question__buttons">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" kind="primary" busy={change.isBusy} disabled={!isOther}>
          Change the plan
        </Button>
      </div>
    </form>
  );
}
