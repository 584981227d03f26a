import { useNavigate } from '@tanstack/react-router';
import { sendAdmin } from '../../../api/admin.ts';
import type { MemberLine } from '../../../api/organisations/organisation-shapes.ts';
import { toScopePath } from '../../../api/scope.ts';
import { RemovalDialog } from '../../../parts/manage/removal-dialog.tsx';
import { useChange } from '../../../parts/manage/use-change.ts';

/** Removes a member, or leaves the organisation. */
export function RemoveMemberDialog({
  organisation,
  member: { name },
  isOwn,
  onClose,
}: {
  readonly organisation: string;
  readonly member: MemberLine;
  readonly isOwn: boolean;
  readonly onClose: () => void;
}) {
  const change = useChange();
  const navigate = useNavigate();
  const path = toScopePath({ kind: 'organisation', organisation }, `/members/${encodeURIComponent(name)}`);
  const leave = () => {
    onClose();
    if (isOwn) void navigate({ to: '/' });
  };
  return (
    <RemovalDialog
      title={isOwn ? `Leave ${organisation}?` : `Remove ${name}?`}
      action={isOwn ? 'Leave' : 'Remove'}
      change={change}
      onConfirm={() => change.start(() => sendAdmin('DELETE', path), leave, { endsSession: isOwn })}
      onClose={onClose}
    >
      <p>
        {isOwn
          ? 'Your token opens nothing any more, and your session ends. Invitations that you have sent are withdrawn. Only a new invitation leads back.'
          : `The token of ${name} opens nothing any more, and invitations that ${name} has sent are withdrawn. The keys that ${name} created stay: delete those that must not be used.`}
      </p>
    </RemovalDialog>
  );
}
