import { useState } from 'react';
import { sendAdmin } from '../../../api/admin.ts';
import type { MemberLine } from '../../../api/organisations/organisation-shapes.ts';
import { toTeamPath } from '../../../api/organisations/use-organisations.ts';
import { escapeInvisible, shortenName } from '../../../base/format-text.ts';
import { Badge } from '../../../parts/badge.tsx';
import { Button } from '../../../parts/button.tsx';
import { VirtualTable } from '../../../parts/live/virtual-table.tsx';
import { Field } from '../../../parts/field.tsx';
import { type ManageChange, useChange } from '../../../parts/manage/use-change.ts';
import { Panel } from '../../../parts/page.tsx';
import { EmptyNote, ErrorNote } from '../../../parts/status.tsx';

/** Who belongs to a team: members with the role `member` change the keys and the firewall of their own teams only. */
export function TeamMembersPanel({
  organisation,
  team,
  members,
  ownName,
  mayWrite,
}: {
  readonly organisation: string;
  readonly team: string;
  readonly members: readonly MemberLine[];
  readonly ownName: string | null;
  readonly mayWrite: boolean;
}) {
  const change = useChange();
  const inside = members.filter(({ teams }) => teams.includes(team));
  const toPath = (name: string) => `${toTeamPath(organisation, team)}/members/${encodeURIComponent(name)}`;
  return (
    <Panel title={`Members of the team ${shortenName(team, 48)}`}>
      <p className="manage-muted">
        A member with the role member changes the keys and the firewall of its teams. Owners and admins change
        those of every team.
      </p>
      {change.error === null ? null : <ErrorNote error={change.error} />}
      {inside.length === 0 ? (
        <EmptyNote>Nobody belongs to this team. {mayWrite ? 'Add somebody below.' : ''}</EmptyNote>
      ) : (
        <VirtualTable
          caption={`Members of the team ${team}`}
          rows={inside}
          rowKey={({ name }) => name}
          columns={[
            { heading: 'Member', cell: ({ name }) => <strong>{shortenName(name, 100)}</strong> },
            { heading: 'Role', cell: ({ role }) => <Badge>{escapeInvisible(role)}</Badge> },
            {
              heading: 'Actions',
              align: 'end',
              cell: ({ name }) =>
                mayWrite || name === ownName ? (
                  <div className="manage-actions">
                    <Button
                      kind="quiet"
                      disabled={change.isBusy}
                      aria-label={name === ownName ? `Leave the team ${team}` : `Take ${name} out of ${team}`}
                      onClick={() =>
                        change.start(
                          () => sendAdmin('DELETE', toPath(name)),
                          () => {},
                        )
                      }
                    >
                      {name === ownName ? 'Leave the team' : 'Take out'}
                    </Button>
                  </div>
                ) : null,
            },
          ]}
        />
      )}
      {mayWrite ? (
        <AddToTeam
          candidates={members.filter(({ teams }) => !teams.includes(team)).map(({ name }) => name)}
          change={change}
          onAdd={(name) =>
            change.start(
              () => sendAdmin('PUT', toPath(name)),
              () => {},
            )
          }
        />
      ) : null}
    </Panel>
  );
}

function AddToTeam({
  candidates,
  change,
  onAdd,
}: {
  readonly candidates: readonly string[];
  readonly change: ManageChange;
  readonly onAdd: (name: string) => void;
}) {
  const [chosen, setChosen] = useState('');
  const name = candidates.find((each) => each === chosen) ?? candidates[0];
  if (name === undefined) return <p className="manage-muted">Every member belongs to this team.</p>;
  return (
    <form
      className="manage-bar"
      onSubmit={(event) => {
        event.preventDefault();
        onAdd(name);
      }}
    >
      <Field label="Add a member">
        {(control) => (
          <select {...control} value={name} onChange={({ target }) => setChosen(target.value)}>
            {candidates.map((each) => (
              <option key={each} value={each}>
                {shortenName(each, 100)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Button type="submit" busy={change.isBusy}>
        Add
      </Button>
    </form>
  );
}
