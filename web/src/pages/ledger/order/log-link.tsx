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
  const { requestId, at } = request;
  // The log shows a time; the request is in it, however old it is.
  const search = { requestId, since: `${at - 1_000}`, until: `${at + 1_000}` };
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
