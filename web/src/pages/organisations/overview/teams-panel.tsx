import '../../../parts/manage/manage.css';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { sendAdmin } from '../../../api/admin.ts';
import type { TeamLine } from '../../../api/organisations/organisation-shapes.ts';
import { toTeamPath, useTeams } from '../../../api/organisations/use-organisations.ts';
import { formatWhole } from '../../../base/format-amount.ts';
import { escapeInvisible } from '../../../base/format-text.ts';
import { Button } from '../../../parts/button.tsx';
import type { TableColumn } from '../../../parts/data-table.tsx';
import { VirtualTable } from '../../../parts/live/virtual-table.tsx';
import { RemovalDialog } from '../../../parts/manage/removal-dialog.tsx';
import { useChange } from '../../../parts/manage/use-change.ts';
import { type Session, can } from '../../../api/session.ts';
import { Panel } from '../../../parts/page.tsx';
import { EmptyNote, ErrorNote, Loading } from '../../../parts/status.tsx';
import { TimeText } from '../../../parts/time-text.tsx';
import { formatCounted } from '../../../base/count-words.ts';
import { CreateTeam } from './create-team.tsx';

/** The teams of an organisation, and how much each holds. */
export function TeamsPanel({
  organisation,
  viewer,
}: {
  readonly organisation: string;
  readonly viewer: Session | null;
}) {
  const { data, error, refetch } = useTeams(organisation);
  const [asked, setAsked] = useState<TeamLine | null>(null);
  const mayWrite = can(viewer, 'team.write');
  const teams = data?.teams ?? [];
  return (
    <Panel title="Teams" aside={mayWrite ? <CreateTeam organisation={organisation} /> : undefined}>
      {error === null ? null : <ErrorNote error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null ? (
          <Loading what="the teams" />
        ) : null
      ) : teams.length === 0 ? (
        <EmptyNote>
          There is no team yet. {mayWrite ? 'Create one' : 'An owner or an admin creates one'}: keys and
          firewall rules belong to teams.
        </EmptyNote>
      ) : (
        <VirtualTable
          caption="The teams"
          columns={buildColumns(organisation, mayWrite ? setAsked : null)}
          rows={teams}
          rowKey={({ slug }) => slug}
          estimate={57}
        />
      )}
      {asked === null ? null : (
        <DeleteTeamDialog organisation={organisation} team={asked} onClose={() => setAsked(null)} />
      )}
    </Panel>
  );
}

function buildColumns(
  organisation: string,
  onDelete: ((team: TeamLine) => void) | null,
): readonly TableColumn<TeamLine>[] {
  const params = { organisation };
  return [
    { heading: 'Team', cell: ({ slug }) => <strong>{escapeInvisible(slug)}</strong> },
    {
      heading: 'Keys',
      align: 'end',
      cell: ({ slug, keys }) => (
        <Link to="/organisations/$organisation/keys" params={params} search={{ team: slug } as never}>
          {formatCounted(keys, 'key')}
        </Link>
      ),
    },
    {
      heading: 'Members',
      align: 'end',
      cell: ({ slug, members }) => (
        <Link to="/organisations/$organisation/members" params={params} search={{ team: slug } as never}>
          {formatCounted(members, 'member')}
        </Link>
      ),
    },
    {
      heading: 'Firewall',
      align: 'end',
      cell: ({ slug, rules }) => (
        <Link to="/organisations/$organisation/firewall" params={params} search={{ team: slug } as never}>
          {formatCounted(rules, 'rule')}
        </Link>
      ),
    },
    { heading: 'Created', cell: ({ createdAt }) => <TimeText at={createdAt} /> },
    ...(onDelete === null
      ? []
      : [
          {
            heading: 'Actions',
            align: 'end' as const,
            cell: (team: TeamLine) => (
              <div className="manage-actions">
                <Button kind="quiet" aria-label={`Delete ${team.slug}`} onClick={() => onDelete(team)}>
                  Delete
                </Button>
              </div>
            ),
          },
        ]),
  ];
}

function DeleteTeamDialog({
  organisation,
  team: { slug, keys, rules },
  onClose,
}: {
  readonly organisation: string;
  readonly team: TeamLine;
  readonly onClose: () => void;
}) {
  const change = useChange();
  return (
    <RemovalDialog
      title={`Delete the team ${slug}?`}
      action="Delete the team"
      typed={keys > 0 ? slug : undefined}
      change={change}
      onConfirm={() => change.start(() => sendAdmin('DELETE', toTeamPath(organisation, slug)), onClose)}
      onClose={onClose}
    >
      <p>
        {keys === 0
          ? 'It has no keys.'
          : `Its ${formatCounted(keys, 'key')} ${keys === 1 ? 'is' : 'are'} refused from the next request on.`}{' '}
        {rules === 0
          ? ''
          : `Its ${formatWhole(rules)} firewall ${rules === 1 ? 'rule goes' : 'rules go'} with it.`}{' '}
        Its members stay in the organisation. This cannot be undone.
      </p>
    </RemovalDialog>
  );
}
