import { useState } from 'react';
import { sendAdmin } from '../../../api/admin.ts';
import type { MemberLine } from '../../../api/organisations/organisation-shapes.ts';
import { toScopePath } from '../../../api/scope.ts';
import { Button } from '../../../parts/button.tsx';
import { useChange } from '../../../parts/manage/use-change.ts';
import { QuestionDialog } from '../../../parts/question-dialog.tsx';
import { ErrorNote } from '../../../parts/status.tsx';
import { RoleField } from './role-field.tsx';

/** Changes the role of a member. */
export function ChangeRoleDialog({
  organisation,
  member: { name, role },
  roles,
  isOwn,
  onClose,
}: {
  readonly organisation: string;
  readonly member: MemberLine;
  /** The roles that the reader may give. */
  readonly roles: readonly string[];
  readonly isOwn: boolean;
  readonly onClose: () => void;
}) {
  const [chosen, setChosen] = useState(role);
  const change = useChange();
  const path = toScopePath({ kind: 'organisation', organisation }, `/members/${encodeURIComponent(name)}`);
  const isLess = roles.indexOf(chosen) > roles.indexOf(role);
  return (
    <QuestionDialog title={`Change the role of ${name}`} onClose={onClose}>
      <form
        className="question__form"
        onSubmit={(event) => {
          event.preventDefault();
          if (chosen !== role) change.start(() => sendAdmin('PATCH', path, { role: chosen }), onClose);
        }}
      >
        <RoleField roles={roles} value={chosen} onChange={setChosen} />
        {isLess ? <p className="manage-muted">Invitations that {name} has sent are withdrawn.</p> : null}
        <p className="manage-muted">
          {isOwn ? 'Your session ends, because its rights change.' : 'Their session in this portal ends.'}
        </p>
        {change.error === null ? null : <ErrorNote error={change.error} />}
        <div className="question__buttons">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={change.isBusy} disabled={chosen === role}>
            Change the role
          </Button>
        </div>
      </form>
    </QuestionDialog>
  );
}
