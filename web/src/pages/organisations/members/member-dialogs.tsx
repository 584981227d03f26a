import type { ManageChange } from '../../../parts/manage/use-change.ts';
import { ChangeRoleDialog } from './change-role-dialog.tsx';
import type { MemberQuestion } from './member-columns.tsx';
import { RemoveMemberDialog } from './remove-member-dialog.tsx';
import { RenewTokenDialog } from './renew-token-dialog.tsx';

/** The dialog for what is asked about a member. */
export function MemberDialogs({
  organisation,
  question: { kind, member },
  roles,
  isOwn,
  change,
  onRenewed,
  onClose,
}: {
  readonly organisation: string;
  readonly question: MemberQuestion;
  readonly roles: readonly string[];
  /** Whether the reader is the member. */
  readonly isOwn: boolean;
  readonly change: ManageChange;
  readonly onRenewed: (name: string, token: string) => void;
  readonly onClose: () => void;
}) {
  const common = { organisation, member, isOwn, onClose };
  if (kind === 'role') return <ChangeRoleDialog {...common} roles={roles} />;
  if (kind === 'remove') return <RemoveMemberDialog {...common} />;
  return <RenewTokenDialog {...common} change={change} onRenewed={onRenewed} />;
}
