import { useState } from 'react';
import { sendAdmin } from '../../../api/admin.ts';
import type { InvitationLine } from '../../../api/organisations/organisation-shapes.ts';
import { useInvitations } from '../../../api/organisations/use-organisations.ts';
import { toScopePath } from '../../../api/scope.ts';
import { escapeInvisible, shortenName } from '../../../base/format-text.ts';
import { Badge } from '../../../parts/badge.tsx';
import { Button } from '../../../parts/button.tsx';
import { VirtualTable } from '../../../parts/live/virtual-table.tsx';
import { RemovalDialog } from '../../../parts/manage/removal-dialog.tsx';
import { useChange } from '../../../parts/manage/use-change.ts';
import { Panel } from '../../../parts/page.tsx';
import { EmptyNote, ErrorNote, Loading } from '../../../parts/status.tsx';
import { TimeText } from '../../../parts/time-text.tsx';

/** The invitations that can still be accepted. Shown to whoever may invite. */
export function InvitationsPanel({
  organisation,
  roles,
}: {
  readonly organisation: string;
  /** The roles that the reader may give, and so the invitations that it may revoke. */
  readonly roles: readonly string[];
}) {
  const { data, error, refetch } = useInvitations(organisation, true);
  const [asked, setAsked] = useState<InvitationLine | null>(null);
  return (
    <Panel title="Pending invitations">
      {error === null ? null : <ErrorNote error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null ? (
          <Loading what="invitations" />
        ) : null
      ) : data.invitations.length === 0 ? (
        <EmptyNote>Nobody is invited now.</EmptyNote>
      ) : (
        <VirtualTable
          caption="Pending invitations"
          rows={data.invitations}
          rowKey={({ name }) => name}
          estimate={57}
          columns={[
            { heading: 'Name', cell: ({ name }) => <strong>{shortenName(name, 100)}</strong> },
            { heading: 'Role', cell: ({ role }) => <Badge>{escapeInvisible(role)}</Badge> },
            { heading: 'Invited', cell: ({ createdAt }) => <TimeText at={createdAt} /> },
            { heading: 'Expires', cell: ({ expiresAt }) => <TimeText at={expiresAt} /> },
            {
              heading: 'Actions',
              align: 'end',
              cell: (invitation) =>
                roles.includes(invitation.role) ? (
                  <div className="manage-actions">
                    <Button
                      kind="quiet"
                      aria-label={`Revoke the invitation of ${invitation.name}`}
                      onClick={() => setAsked(invitation)}
                    >
                      Revoke
                    </Button>
                  </div>
                ) : (
                  <span className="manage-muted">an owner revokes it</span>
                ),
            },
          ]}
        />
      )}
      {asked === null ? null : (
        <RevokeDialog organisation={organisation} name={asked.name} onClose={() => setAsked(null)} />
      )}
    </Panel>
  );
}

function RevokeDialog({
  organisation,
  name,
  onClose,
}: {
  readonly organisation: string;
  readonly name: string;
  readonly onClose: () => void;
}) {
  const change = useChange();
  const path = toScopePath(
    { kind: 'organisation', organisation },
    `/invitations/${encodeURIComponent(name)}`,
  );
  return (
    <RemovalDialog
      title={`Revoke the invitation of ${name}?`}
      action="Revoke it"
      change={change}
      onConfirm={() => change.start(() => sendAdmin('DELETE', path), onClose)}
      onClose={onClose}
    >
      <p>Its token cannot be accepted any more. You can invite {name} again.</p>
    </RemovalDialog>
  );
}
