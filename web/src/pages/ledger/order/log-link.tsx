import { Link } from '@tanstack/react-router';
import type { Scope } from '../../../api/scope.ts';
import type { OrderRequestEntry } from '../source/ledger-shapes.ts';

/** A link to a request in the log. */
export function LogLink({
  scope,
  request,
  children,
}: {
  readonly scope: Scope;
  readonly request: OrderRequestEntry;
  readonly children: string;
}) {
  const { requestId } = request;
  // A request that is asked for by its id is found however old it is.
  const search = { requestId, request: requestId };
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
