import { useState } from 'react';
import { sendAdmin } from '../../../api/admin.ts';
import { readTokenAnswer } from '../../../api/organisations/organisation-shapes.ts';
import { readAnswer } from '../../../api/read-answer.ts';
import { toScopePath } from '../../../api/scope.ts';
import { Button } from '../../../parts/button.tsx';
import { Field } from '../../../parts/field.tsx';
import type { ManageChange } from '../../../parts/manage/use-change.ts';
import { QuestionDialog } from '../../../parts/question-dialog.tsx';
import { ErrorNote } from '../../../parts/status.tsx';
import { RoleField } from './role-field.tsx';

const NAME = /^[a-z0-9][a-z0-9@._+-]{0,99}$/;

/** Invites somebody. The token of the invitation is shown once. */
export function InviteDialog({
  organisation,
  roles,
  change,
  onInvited,
  onClose,
}: {
  readonly organisation: string;
  /** The roles that the reader may give. */
  readonly roles: readonly string[];
  /** Outlives the dialog, so that a token is shown also if the dialog was closed meanwhile. */
  readonly change: ManageChange;
  /** Called with the token of the invitation. */
  readonly onInvited: (name: string, token: string) => void;
  readonly onClose: () => void;
}) {
  const [name, setName] = useState('');
  const [role, setRole] = useState(roles.at(-1) ?? 'member');
  const [isTried, setTried] = useState(false);
  const isName = NAME.test(name);
  const path = toScopePath({ kind: 'organisation', organisation }, '/invitations');
  return (
    <QuestionDialog title="Invite somebody" onClose={onClose}>
      <form
        className="question__form"
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (!isName) return;
          change.start(
            async () =>
              readAnswer('the invitation', readTokenAnswer, await sendAdmin('POST', path, { name, role })),
            ({ token }) => onInvited(name, token),
          );
        }}
      >
        <Field
          label="Name"
          required
          help="An e-mail address or a short name in lowercase. Sluice sends no mail: you hand over the token. Inviting the same name again replaces its invitation."
          error={
            isTried && !isName
              ? '1 to 100 lowercase letters, digits and @ . _ + -, the first a letter or digit'
              : null
          }
        >
          {(control) => (
            <input
              {...control}
              type="text"
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              maxLength={100}
              value={name}
              onChange={({ target }) => setName(target.value.trim())}
            />
          )}
        </Field>
        <RoleField roles={roles} value={role} onChange={setRole} />
        {change.error === null ? null : <ErrorNote error={change.error} />}
        <div className="question__buttons">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={change.isBusy}>
            Invite
          </Button>
        </div>
      </form>
    </QuestionDialog>
  );
}
