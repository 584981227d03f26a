import { Link } from '@tanstack/react-router';
import type { MemberLine } from '../../../api/organisations/organisation-shapes.ts';
import { escapeInvisible, shortenName } from '../../../base/format-text.ts';
import { Badge } from '../../../parts/badge.tsx';
import { Button } from '../../../parts/button.tsx';
import type { TableColumn } from '../../../parts/data-table.tsx';
import { ExpiryText } from '../../../parts/manage/expiry-text.tsx';
import { TimeText } from '../../../parts/time-text.tsx';
import type { MemberObstacles } from './member-rules.ts';

/** What is asked about a member. */
export interface MemberQuestion {
  readonly kind: 'role' | 'remove' | 'renew';
  readonly member: MemberLine;
}

/** Returns the columns of the list of members. */
export function buildMemberColumns({
  organisation,
  ownName,
  now,
  mayWrite,
  mayRenew,
  obstaclesOf,
  onAsk,
}: {
  readonly organisation: string;
  /** The name of the reader; null: it is the operator. */
  readonly ownName: string | null;
  readonly now: number;
  /** Whether the reader may change members at all: it is then told why it cannot change one. */
  readonly mayWrite: boolean;
  readonly mayRenew: (member: MemberLine) => boolean;
  readonly obstaclesOf: (member: MemberLine) => MemberObstacles;
  readonly onAsk: (question: MemberQuestion) => void;
}): readonly TableColumn<MemberLine>[] {
  return [
    {
      heading: 'Member',
      cell: ({ name }) => (
        <div className="manage-name">
          <strong>{shortenName(name, 100)}</strong>
          {name === ownName ? <span className="manage-muted">you</span> : null}
        </div>
      ),
    },
    { heading: 'Role', cell: ({ role }) => <Badge>{escapeInvisible(role)}</Badge> },
    {
      heading: 'Teams',
      cell: ({ teams, role }) =>
        teams.length === 0 ? (
          <span className="manage-muted">{role === 'member' ? 'none' : 'may change every team'}</span>
        ) : (
          <span className="manage-links">
            {teams.map((team) => (
              <Link
                key={team}
                to="/organisations/$organisation/members"
                params={{ organisation }}
                search={{ team } as never}
              >
                {escapeInvisible(team)}
              </Link>
            ))}
          </span>
        ),
    },
    { heading: 'Token expires', cell: ({ tokenExpiresAt }) => <ExpiryText at={tokenExpiresAt} now={now} /> },
    {
      heading: 'Token last used',
      cell: ({ tokenLastUsedAt }) =>
        tokenLastUsedAt === null ? (
          <span className="manage-muted">never</span>
        ) : (
          <TimeText at={tokenLastUsedAt} />
        ),
    },
    {
      heading: 'Actions',
      align: 'end',
      cell: (member) => {
        const obstacles = obstaclesOf(member);
        const isOwn = member.name === ownName;
        const reason = obstacles.role ?? obstacles.removal;
        return (
          <>
            <div className="manage-actions">
              {mayRenew(member) ? (
                <Button
                  kind="quiet"
                  aria-label={`Renew the token of ${member.name}`}
                  onClick={() => onAsk({ kind: 'renew', member })}
                >
                  Renew the token
                </Button>
              ) : null}
              {mayWrite ? (
                <ActionButton
                  text="Change the role"
                  label={`Change the role of ${member.name}`}
                  obstacle={obstacles.role}
                  onClick={() => onAsk({ kind: 'role', member })}
                />
              ) : null}
              {mayWrite || isOwn ? (
                <ActionButton
                  text={isOwn ? 'Leave' : 'Remove'}
                  label={isOwn ? 'Leave the organisation' : `Remove ${member.name}`}
                  obstacle={obstacles.removal}
                  onClick={() => onAsk({ kind: 'remove', member })}
                />
              ) : null}
            </div>
            {reason === null || !mayWrite ? null : <p className="manage-actions__reason">{reason}</p>}
          </>
        );
      },
    },
  ];
}

/** A button that says why it cannot be pressed. */
function ActionButton({
  text,
  label,
  obstacle,
  onClick,
}: {
  readonly text: string;
  readonly label: string;
  readonly obstacle: string | null;
  readonly onClick: () => void;
}) {
  return (
    <Button
      kind="quiet"
      aria-label={obstacle === null ? label : `${label}: ${obstacle}`}
      title={obstacle ?? undefined}
      disabled={obstacle !== null}
      onClick={onClick}
    >
      {text}
    </Button>
  );
}
