import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Scope } from '../../api/scope.ts';
import type { PageSearch } from '../page-search.ts';

/** A link to requests in the log of a scope. */
export function LogLink({
  scope,
  search,
  children,
}: {
  readonly scope: Scope;
  /** The filters, the range, and the request that is opened, as the address of the log has them. */
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
