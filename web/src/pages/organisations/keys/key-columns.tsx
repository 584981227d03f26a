import { Link } from '@tanstack/react-router';
import type { KeyLine } from '../../../api/organisations/organisation-shapes.ts';
import { escapeInvisible, shortenName } from '../../../base/format-text.ts';
import { Button } from '../../../parts/button.tsx';
import type { TableColumn } from '../../../parts/data-table.tsx';
import { ExpiryText } from '../../../parts/manage/expiry-text.tsx';
import { TimeText } from '../../../parts/time-text.tsx';

/** What is asked about a key. */
export interface KeyQuestion {
  readonly kind: 'change' | 'delete';
  readonly line: KeyLine;
}

/** Returns the columns of the list of keys. */
export function buildKeyColumns({
  organisation,
  hasTeams,
  creators,
  mayChange,
  now,
  onAsk,
}: {
  readonly organisation: string;
  /** Whether keys of several teams are listed. */
  readonly hasTeams: boolean;
  /** Who created each key by `acme/web/ci`; null: the reader may not see that. */
  readonly creators: ReadonlyMap<string, string> | null;
  readonly mayChange: (team: string) => boolean;
  readonly now: number;
  readonly onAsk: (question: KeyQuestion) => void;
}): readonly TableColumn<KeyLine>[] {
  const team: TableColumn<KeyLine> = { heading: 'Team', cell: (line) => escapeInvisible(line.team) };
  const createdBy: TableColumn<KeyLine> = {
    heading: 'Created by',
    cell: (line) => (
      <span className="manage-muted">
        {escapeInvisible(creators?.get(`${organisation}/${line.team}/${line.name}`) ?? 'unknown')}
      </span>
    ),
  };
  return [
    {
      heading: 'Key',
      cell: ({ name, excerpt }) => (
        <div className="manage-name">
          <strong>{shortenName(name, 64)}</strong>
          {excerpt === null ? null : <code className="manage-muted">{escapeInvisible(excerpt)}</code>}
        </div>
      ),
    },
    ...(hasTeams ? [team] : []),
    {
      heading: 'Opens',
      cell: ({ products }) =>
        products === null ? 'every product' : <span>{products.map(escapeInvisible).join(', ')}</span>,
    },
    { heading: 'Expires', cell: ({ expiresAt }) => <ExpiryText at={expiresAt} now={now} /> },
    {
      heading: 'Last used',
      cell: ({ lastUsedAt }) =>
        lastUsedAt === null ? <span className="manage-muted">never</span> : <TimeText at={lastUsedAt} />,
    },
    { heading: 'Created', cell: ({ createdAt }) => <TimeText at={createdAt} /> },
    ...(creators === null ? [] : [createdBy]),
    {
      heading: 'Actions',
      align: 'end',
      cell: (line) => (
        <div className="manage-actions">
          <Link
            className="button button--quiet"
            to="/organisations/$organisation/log"
            params={{ organisation }}
            search={{ key: `${line.team}/${line.name}` } as never}
            aria-label={`Requests of ${line.name}`}
          >
            Requests
          </Link>
          {mayChange(line.team) ? (
            <>
              <Button
                kind="quiet"
                aria-label={`Change ${line.name}`}
                onClick={() => onAsk({ kind: 'change', line })}
              >
                Change
              </Button>
              <Button
                kind="quiet"
                aria-label={`Delete ${line.name}`}
                onClick={() => onAsk({ kind: 'delete', line })}
              >
                Delete
              </Button>
            </>
          ) : null}
        </div>
      ),
    },
  ];
}
