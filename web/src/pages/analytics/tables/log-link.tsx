import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Scope } from '../../../api/scope.ts';
import type { PageSearch } from '../../../parts/page-search.ts';

/** A link to the requests that a number counts: the log with a filter, of the same range. */
export function LogLink({
  scope,
  search,
  children,
}: {
  readonly scope: Scope;
  /** The filters and the range, as the address of the log has them. */
  readonly search: PageSearch;
  readonly children: ReactNode;
}) {
  return scope.kind === 'instance' ? (
    <Link to="/operate/log" search={search as never} preload={false}>
      {children}
    </Link>
  ) : (
    <Link
      to="/organisations/$organisation/log"
      params={{ organisation: scope.organisation }}
      search={search as never}
      preload={false}
    >
      {children}
    </Link>
  );
}
