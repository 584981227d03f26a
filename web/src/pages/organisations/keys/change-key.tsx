import { useState } from 'react';
import { sendAdmin } from '../../../api/admin.ts';
import type { KeyLine } from '../../../api/organisations/organisation-shapes.ts';
import { toTeamPath } from '../../../api/organisations/use-organisations.ts';
import { useChange } from '../../../parts/manage/use-change.ts';
import { QuestionDialog } from '../../../parts/question-dialog.tsx';
import { KeyForm } from './key-form.tsx';
import { findKeyProblems, type KeyTermsForm, toExpiresAt } from './key-terms.ts';

/** Changes what a key is called, what it opens and how long. The key itself stays the same. */
export function ChangeKeyDialog({
  organisation,
  line,
  onClose,
}: {
  readonly organisation: string;
  readonly line: KeyLine;
  readonly onClose: () => void;
}) {
  const [form, setForm] = useState<KeyTermsForm>({
    name: line.name,
    products: line.products,
    expiry: 'kept',
    date: '',
  });
  const [isTried, setTried] = useState(false);
  const change = useChange();
  const problems = findKeyProblems(form, Date.now());
  const save = () => {
    setTried(true);
    if (Object.values(problems).some((problem) => problem !== null)) return;
    const path = `${toTeamPath(organisation, line.team)}/keys/${encodeURIComponent(line.name)}`;
    change.start(() => sendAdmin('PATCH', path, toChanges(form, line)), onClose);
  };
  return (
    <QuestionDialog title={`Change the key ${line.name}`} onClose={onClose}>
      <p className="manage-muted">
        The key itself stays as it is. Firewall rules that name it follow a new name, and its requests in the
        log are then shown under it.
      </p>
      <KeyForm
        form={form}
        problems={isTried ? problems : null}
        expiresAt={line.expiresAt}
        action="Save"
        change={change}
        onChange={(changes) => setForm({ ...form, ...changes })}
        onSubmit={save}
        onClose={onClose}
      />
    </QuestionDialog>
  );
}

/** Only what was changed is sent, so that what somebody else changed meanwhile stays. */
function toChanges(form: KeyTermsForm, { name, products }: KeyLine) {
  const expiresAt = toExpiresAt(form, Date.now());
  const isSame = JSON.stringify(form.products) === JSON.stringify(products);
  return {
    ...(form.name === name ? {} : { name: form.name }),
    ...(isSame ? {} : { products: form.products }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}
