import { Link } from '@tanstack/react-router';
import type { Scope } from '../../../api/scope.ts';
import { escapeInvisible, shortenName } from '../../../base/format-text.ts';
import { LogLink } from '../../../parts/manage/log-link.tsx';
import { EmptyNote } from '../../../parts/status.tsx';
import { useWaitingOrder } from '../source/ledger-queries.ts';
import { classifySearch } from '../text/search-form.ts';

/** Says that the ledger has no order with an id, and where else it may be. */
export function UnknownOrder({ scope, id }: { readonly scope: Scope; readonly id: string }) {
  const kind = classifySearch(id);
  const { data: waiting, isLoading } = useWaitingOrder(scope, kind === 'order' ? id : null);
  if (waiting !== undefined) {
    const { state, wallet, explanation } = waiting.order;
    return (
      <EmptyNote>
        <p>
          This is an order that waits, not one of the ledger: its state is {escapeInvisible(state)}.{' '}
          {escapeInvisible(explanation)}
        </p>
        <p>
          <Link to="/products/orders" search={{ address: wallet } as never} preload={false}>
            The orders of its wallet
          </Link>
        </p>
      </EmptyNote>
    );
  }
  return (
    <EmptyNote>
      <p>
        There is no order {shortenName(id, 100)}{' '}
        {scope.kind === 'instance' ? 'in the ledger' : 'of this organisation'}.
        {isLoading ? ' Looking among the orders that wait …' : ''}
      </p>
      <ul>
        <li>
          The ledger keeps orders that were given out with a transaction. A price without a taker, and an
          order that was refused, are in the request log only. Why an order has no transaction, as when the
          taker has too little, is said in its answer (errorMessage) and kept nowhere.
        </li>
        <li>An order is forgotten after as many days as the request log is kept (the setting log-days).</li>
        <li>What was noted is written within a second: look again if it was given out just now.</li>
        {scope.kind === 'organisation' ? (
          <li>
            An order of another organisation, or one that was ordered without a key, is shown to the operator.
          </li>
        ) : null}
        <li>
          The id in the answer of /swap/v2/order is meant, not that of a request (x-api-gateway-request-id).
        </li>
      </ul>
      <p>
        <LogLink scope={scope} search={{ order: id, range: '30d' }}>
          Look in the log for the request that was answered with this order
        </LogLink>
      </p>
      <p>
        <LogLink scope={scope} search={{ requestId: id }}>
          Look in the log for a request that has this id itself
        </LogLink>
      </p>
    </EmptyNote>
  );
}
