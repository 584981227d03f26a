import '../../../parts/manage/manage.css';
import { useState } from 'react';
import { useMembers } from '../../../api/organisations/use-organisations.ts';
import { shortenName } from '../../../base/format-text.ts';
import { Button } from '../../../parts/button.tsx';
import { VirtualTable } from '../../../parts/live/virtual-table.tsx';
import { ManageFrame } from '../../../parts/manage/manage-frame.tsx';
import { useChange } from '../../../parts/manage/use-change.ts';
import { useOrganisationScope } from '../../../parts/manage/use-organisation-scope.ts';
import { can, useSession } from '../../../api/session.ts';
import { Page, Panel } from '../../../parts/page.tsx';
import { usePageSearch } from '../../../parts/page-search.ts';
import { EmptyNote, ErrorNote, Loading } from '../../../parts/status.tsx';
import { TeamSelect } from '../../../parts/traffic/owner-fields.tsx';
import { useMinuteClock } from '../../../parts/use-minute-clock.ts';
import { findOwnName } from '../text/own-name.ts';
import { InvitationsPanel } from './invitations-panel.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { buildMemberColumns, type MemberQuestion } from './member-columns.tsx';
import { MemberDialogs } from './member-dialogs.tsx';
import { findMemberObstacles, listGrantableRoles } from './member-rules.ts';
import { TeamMembersPanel } from './team-members-panel.tsx';
import { OwnTokenNote, type ShownToken, TokenNote } from './token-note.tsx';

/** Who belongs to an organisation, with which role and in which teams. */
export function MembersPage() {
  const scope = useOrganisationScope();
  const [ownToken, setOwnToken] = useState<ShownToken | null>(null);
  const name = shortenName(scope.organisation, 48);
  // The session has ended with the token before: whatever asks the server now is led to sign in, and the token would be lost.
  if (ownToken !== null)
    return (
      <Page title="Your new token">
        <OwnTokenNote shown={ownToken} onClose={() => setOwnToken(null)} />
      </Page>
    );
  return (
    <ManageFrame
      scope={scope}
      title={`Members of ${name}`}
      lead="Who may look at the organisation and change it, each with a token of their own."
      what={`The members of ${name}`}
    >
      <Members key={scope.organisation} organisation={scope.organisation} onOwnToken={setOwnToken} />
    </ManageFrame>
  );
}

function Members({
  organisation,
  onOwnToken,
}: {
  readonly organisation: string;
  /** Called when the reader has renewed its own token. */
  readonly onOwnToken: (token: ShownToken) => void;
}) {
  const [{ team = '' }, changeSearch] = usePageSearch();
  const [question, ask] = useState<MemberQuestion | null>(null);
  const [isInviting, setInviting] = useState(false);
  const [shown, setShown] = useState<ShownToken | null>(null);
  const change = useChange();
  const viewer = useSession();
  const { data, error, refetch } = useMembers(organisation);
  const now = useMinuteClock();
  const members = data?.members ?? [];
  const ownName = findOwnName(viewer);
  const roles = listGrantableRoles(viewer);
  const show = (token: ShownToken) => {
    if (token.isOwn) return onOwnToken(token);
    setInviting(false);
    ask(null);
    setShown(token);
  };
  return (
    <>
      <div className="manage-bar">
        <TeamSelect
          organisation={organisation}
          team={team}
          help="Choose one to see and change who belongs to it."
          onChoose={(slug) => changeSearch({ team: slug })}
        />
        <div className="manage-bar__end">
          {roles.length === 0 ? null : (
            <Button kind="primary" onClick={() => setInviting(true)}>
              Invite somebody
            </Button>
          )}
        </div>
      </div>
      {shown === null ? null : <TokenNote shown={shown} onClose={() => setShown(null)} />}
      {error === null ? null : <ErrorNote error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null ? (
          <Loading what="the members" />
        ) : null
      ) : team === '' ? (
        <Panel>
          {members.length === 0 ? (
            <EmptyNote>
              Nobody belongs to {organisation} yet. Invite somebody: the first owner is invited by the
              operator.
            </EmptyNote>
          ) : (
            <VirtualTable
              caption="The members"
              rows={members}
              rowKey={({ name }) => name}
              estimate={64}
              columns={buildMemberColumns({
                organisation,
                ownName,
                now,
                mayWrite: roles.length > 0,
                mayRenew: ({ name }) => viewer?.standing === 'operator' || name === ownName,
                obstaclesOf: (member) => findMemberObstacles(member, members, viewer, ownName),
                onAsk: ask,
              })}
            />
          )}
        </Panel>
      ) : (
        <TeamMembersPanel
          organisation={organisation}
          team={team}
          members={members}
          ownName={ownName}
          mayWrite={can(viewer, 'team.write')}
        />
      )}
      {roles.length === 0 || team !== '' ? null : (
        <InvitationsPanel organisation={organisation} roles={roles} />
      )}
      {isInviting ? (
        <InviteDialog
          organisation={organisation}
          roles={roles}
          change={change}
          onInvited={(name, token) => show({ kind: 'invitation', name, token, isOwn: false })}
          onClose={() => {
            setInviting(false);
            change.clear();
          }}
        />
      ) : null}
      {question === null ? null : (
        <MemberDialogs
          organisation={organisation}
          question={question}
          roles={roles}
          isOwn={question.member.name === ownName}
          change={change}
          onRenewed={(name, token) =>
            show({ kind: 'token', name, token, isOwn: question.member.name === ownName })
          }
          onClose={() => {
            ask(null);
            change.clear();
          }}
        />
      )}
    </>
  );
}
