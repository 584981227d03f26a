import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { sendAdmin } from '../../../api/admin.ts';
import { usePlans } from '../../../api/organisations/use-organisations.ts';
import { Button } from '../../../parts/button.tsx';
import { Field } from '../../../parts/field.tsx';
import { SlugField, SLUG } from '../../../parts/manage/slug-field.tsx';
import { useChange } from '../../../parts/manage/use-change.ts';
import { QuestionDialog } from '../../../parts/question-dialog.tsx';
import { ErrorNote } from '../../../parts/status.tsx';
import { describePlan } from '../text/describe-plan.ts';

/** A button that creates an organisation, and opens it. */
export function CreateOrganisation() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind="primary" onClick={() => setOpen(true)}>
        Create an organisation
      </Button>
      {isOpen ? <CreateDialog onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function CreateDialog({ onClose }: { readonly onClose: () => void }) {
  const [slug, setSlug] = useState('');
  const [plan, setPlan] = useState('');
  const [isTried, setTried] = useState(false);
  const { data } = usePlans();
  const change = useChange();
  const navigate = useNavigate();
  const plans = data?.plans ?? [];
  const chosen = plans.find(({ name }) => name === plan) ?? plans[0];
  const create = () => {
    setTried(true);
    if (!SLUG.test(slug) || chosen === undefined) return;
    change.start(
      () => sendAdmin('POST', '/admin/v1/organisations', { slug, plan: chosen.name }),
      () => void navigate({ to: '/organisations/$organisation', params: { organisation: slug } }),
    );
  };
  return (
    <QuestionDialog title="Create an organisation" onClose={onClose}>
      <form
        className="question__form"
        onSubmit={(event) => {
          event.preventDefault();
          create();
        }}
      >
        <SlugField label="Name" value={slug} isTried={isTried} onChange={setSlug} />
        <Field
          label="Plan"
          help={chosen === undefined ? 'The plans are being loaded.' : describePlan(chosen)}
        >
          {(control) => (
            <select {...control} value={chosen?.name ?? ''} onChange={({ target }) => setPlan(target.value)}>
              {plans.map(({ name }) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
        {change.error === null ? null : <ErrorNote error={change.error} />}
        <div className="question__buttons">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={change.isBusy} disabled={chosen === undefined}>
            Create
          </Button>
        </div>
      </form>
    </QuestionDialog>
  );
}
