import type { Scope } from '../../../api/scope.ts';
import { LogLink } from '../../../parts/manage/log-link.tsx';
import type { OrderRequestEntry } from '../source/ledger-shapes.ts';

/** A link to a request in the log. One that is asked for by its id is found however old it is. */
export function RequestLink({
  scope,
  request: { requestId },
  children,
}: {
  readonly scope: Scope;
  readonly request: OrderRequestEntry;
  readonly children: string;
}) {
  return (
    <LogLink scope={scope} search={{ requestId, request: requestId }}>
      {children}
    </LogLink>
  );
}
