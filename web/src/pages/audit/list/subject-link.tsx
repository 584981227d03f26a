import { Link } from '@tanstack/react-router';
import { escapeInvisible, shortenName } from '../../../base/format-text.ts';
import { TokenLink } from '../../../parts/token-link.tsx';
import { isAddress } from '../../../base/is-address.ts';
import { parseAuditSubject } from '../text/audit-subject.ts';
import type { AuditLine, ExistingSubjects } from './audit-queries.ts';

const MAX_NAME = 120;

/** What an entry is about, as a link to it where it still exists. */
export function SubjectLink({
  entry: { action, subject },
  existing,
}: {
  readonly entry: AuditLine;
  readonly existing: ExistingSubjects;
}) {
  const shown = <span title={escapeInvisible(subject)}>{shortenName(subject, MAX_NAME)}</span>;
  const parsed = parseAuditSubject(action, subject);
  switch (parsed.kind) {
    case 'maker':
      return existing.has(parsed) ? (
        <Link to="/makers/$maker" params={{ maker: parsed.maker }} preload={false}>
          {shown}
        </Link>
      ) : (
        shown
      );
    case 'token':
      return isAddress(parsed.mint) ? <TokenLink mint={parsed.mint} label={null} /> : shown;
    case 'plan':
      return (
        <Link to="/operate/plans" preload={false}>
          {shown}
        </Link>
      );
    case 'backup':
      return (
        <Link to="/operate/backups" preload={false}>
          {shown}
        </Link>
      );
    case 'other':
      return shown;
    default: {
      const { organisation } = parsed;
      const params = { organisation };
      if (existing.has(parsed)) {
        const to = ORGANISATION_PATHS[parsed.kind];
        return (
          <Link to={to} params={params} preload={false}>
            {shown}
          </Link>
        );
      }
      // What is in an organisation may be gone while the organisation is there.
      if (!existing.has({ kind: 'organisation', organisation, team: null })) return shown;
      return (
        <span>
          {shown}{' '}
          <Link to="/organisations/$organisation" params={params} preload={false}>
            in {shortenName(organisation, MAX_NAME)}
          </Link>
        </span>
      );
    }
  }
}

const ORGANISATION_PATHS = {
  organisation: '/organisations/$organisation',
  team: '/organisations/$organisation',
  firewall: '/organisations/$organisation/firewall',
  key: '/organisations/$organisation/keys',
  member: '/organisations/$organisation/members',
} as const;
