import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { sendAdmin } from '../../../api/admin.ts';
import { useMembers, useTeams } from '../../../api/organisations/use-organisations.ts';
import { toScopePath } from '../../../api/scope.ts';
import { Button } from '../../../parts/button.tsx';
import { RemovalDialog } from '../../../parts/manage/removal-dialog.tsx';
import { useChange } from '../../../parts/manage/use-change.ts';
import { type Session, can } from '../../../api/session.ts';
import { Panel } from '../../../parts/page.tsx';
import { ErrorNote, Loading } from '../../../parts/status.tsx';
import { formatCounted } from '../../../base/count-words.ts';

/** Deletes an organisation. Shown to whoever may. */
export function DeleteOrganisation({
  organisation,
  viewer,
}: {
  readonly organisation: string;
  readonly viewer: Session | null;
}) {
  const [isOpen, setOpen] = useState(false);
  if (!can(viewer, 'organisation.delete')) return null;
  return (
    <Panel title="Delete the organisation">
      <p className="manage-muted">
        Its teams, keys, firewall rules and members go with it. Its requests stay in the log of the instance.
      </p>
      <div>
        <Button onClick={() => setOpen(true)}>Delete {organisation}</Button>
      </div>
      {isOpen ? (
        <DeleteDialog organisation={organisation} viewer={viewer} onClose={() => setOpen(false)} />
      ) : null}
    </Panel>
  );
}

function DeleteDialog({
  organisation,
  viewer,
  onClose,
}: {
  readonly organisation: string;
  readonly viewer: Session | null;
  readonly onClose: () => void;
}) {
  const teams = useTeams(organisation);
  const members = useMembers(organisation);
  const change = useChange();
  const navigate = useNavigate();
  const error = teams.error ?? members.error;
  const keys = teams.data?.teams.reduce((sum, team) => sum + team.keys, 0) ?? 0;
  const isKnown = teams.data !== undefined && members.data !== undefined;
  const path = toScopePath({ kind: 'organisation', organisation }, '');
  return (
    <RemovalDialog
      title={`Delete ${organisation}?`}
      action="Delete the organisation"
      typed={organisation}
      isReady={isKnown}
      change={change}
      onConfirm={() =>
        change.start(
          () => sendAdmin('DELETE', path),
          () => void navigate({ to: '/organisations' }),
        )
      }
      onClose={onClose}
    >
      {isKnown ? (
        <p>
          It has {formatCounted(teams.data.teams.length, 'team')}, {formatCounted(keys, 'key')} and{' '}
          {formatCounted(members.data.members.length, 'member')}. The keys are refused from the next request
          on, and the tokens of its members open nothing any more
          {viewer?.organisation === null ? '' : ', yours included'}. This cannot be undone.
        </p>
      ) : error === null ? (
        <Loading what="what it has" />
      ) : (
        <ErrorNote error={error} />
      )}
    </RemovalDialog>
  );
}
