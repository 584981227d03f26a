import { useState } from 'react';
import { sendAdmin } from '../../../api/admin.ts';
import { readNewKey } from '../../../api/organisations/organisation-shapes.ts';
import { toTeamPath } from '../../../api/organisations/use-organisations.ts';
import { readAnswer } from '../../../api/read-answer.ts';
import { Field } from '../../../parts/field.tsx';
import type { ManageChange } from '../../../parts/manage/use-change.ts';
import { QuestionDialog } from '../../../parts/question-dialog.tsx';
import { KeyForm } from './key-form.tsx';
import { findKeyProblems, type KeyTermsForm, toExpiresAt } from './key-terms.ts';

/** A key that was just created. It is kept by the page that shows it, and nowhere else. */
export interface CreatedKey {
  readonly team: string;
  readonly name: string;
  readonly products: readonly string[] | null;
  readonly secret: string;
}

const EMPTY: KeyTermsForm = { name: '', products: null, expiry: 'never', date: '' };

/** Asks for what a new key is for, and creates it. */
export function CreateKeyDialog({
  organisation,
  teams,
  initial,
  change,
  onCreated,
  onClose,
}: {
  readonly organisation: string;
  /** The teams whose keys the reader may change. */
  readonly teams: readonly string[];
  /** The team that is chosen at first; null: the first. */
  readonly initial: string | null;
  /** Outlives the dialog, so that a key is shown also if the dialog was closed meanwhile. */
  readonly change: ManageChange;
  readonly onCreated: (key: CreatedKey) => void;
  readonly onClose: () => void;
}) {
  const [form, setForm] = useState(EMPTY);
  const [chosen, setChosen] = useState(initial);
  const [isTried, setTried] = useState(false);
  const team = teams.find((each) => each === chosen) ?? teams[0] ?? '';
  const problems = findKeyProblems(form, Date.now());
  const create = () => {
    setTried(true);
    if (Object.values(problems).some((problem) => problem !== null)) return;
    const terms = { name: form.name, products: form.products, expiresAt: toExpiresAt(form, Date.now()) };
    change.start(
      async () =>
        readAnswer(
          'the new key',
          readNewKey,
          await sendAdmin('POST', `${toTeamPath(organisation, team)}/keys`, terms),
        ),
      ({ name, products, key: secret }) => onCreated({ team, name, products, secret }),
    );
  };
  return (
    <QuestionDialog title="Create a key" onClose={onClose}>
      <KeyForm
        form={form}
        problems={isTried ? problems : null}
        action="Create the key"
        change={change}
        before={
          <Field label="Team">
            {(control) => (
              <select {...control} value={team} onChange={({ target }) => setChosen(target.value)}>
                {teams.map((each) => (
                  <option key={each} value={each}>
                    {each}
                  </option>
                ))}
              </select>
            )}
          </Field>
        }
        onChange={(changes) => setForm({ ...form, ...changes })}
        onSubmit={create}
        onClose={onClose}
      />
    </QuestionDialog>
  );
}
