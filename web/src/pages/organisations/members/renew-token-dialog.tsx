import { sendAdmin } from '../../../api/admin.ts';
import { type MemberLine, readTokenAnswer } from '../../../api/organisations/organisation-shapes.ts';
import { readAnswer } from '../../../api/read-answer.ts';
import { toScopePath } from '../../../api/scope.ts';
import { RemovalDialog } from '../../../parts/manage/removal-dialog.tsx';
import type { ManageChange } from '../../../parts/manage/use-change.ts';

/** Gives a member a new token in place of the one that it has. */
export function RenewTokenDialog({
  organisation,
  member: { name },
  isOwn,
  change,
  onRenewed,
  onClose,
}: {
  readonly organisation: string;
  readonly member: MemberLine;
  readonly isOwn: boolean;
  /** Outlives the dialog, so that a token is shown also if the dialog was closed meanwhile. */
  readonly change: ManageChange;
  /** Called with the token, which is shown once. */
  readonly onRenewed: (name: string, token: string) => void;
  readonly onClose: () => void;
}) {
  const path = toScopePath(
    { kind: 'organisation', organisation },
    `/members/${encodeURIComponent(name)}/token`,
  );
  return (
    <RemovalDialog
      title={isOwn ? 'Renew your token?' : `Renew the token of ${name}?`}
      action="Renew the token"
      change={change}
      onConfirm={() =>
        change.start(
          async () => readAnswer('the new token', readTokenAnswer, await sendAdmin('POST', path, {})),
          ({ token }) => onRenewed(name, token),
          { endsSession: isOwn },
        )
      }
      onClose={onClose}
    >
      <p>
        The token that {isOwn ? 'you have' : `${name} has`} is refused from now on, and{' '}
        {isOwn ? 'your sessions end: sign in with the new one afterwards' : 'its sessions end'}. The new one
        is shown once.
      </p>
    </RemovalDialog>
  );
}
