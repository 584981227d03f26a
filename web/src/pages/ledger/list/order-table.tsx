import type { KnownTokens } from '../../../api/known-tokens.ts';
import type { Scope } from '../../../api/scope.ts';
import { escapeInvisible, shortenName } from '../../../base/format-text.ts';
import { AddressText } from '../../../parts/address-text.tsx';
import { Badge } from '../../../parts/badge.tsx';
import type { TableColumn } from '../../../parts/data-table.tsx';
import { VirtualTable } from '../../../parts/live/virtual-table.tsx';
import { TimeText } from '../../../parts/time-text.tsx';
import type { LedgerOrder } from '../source/ledger-shapes.ts';
import { LedgerAmount } from '../text/ledger-amount.tsx';
import { getOrderOutcome, OUTCOMES } from '../text/order-outcome.ts';
import { type CodeMeaning, useCodeMeanings } from '../text/use-code-meanings.ts';
import { OrderLink } from './order-link.tsx';

/** Orders with what became of them. */
export function OrderTable({
  scope,
  orders,
  tokens,
}: {
  readonly scope: Scope;
  readonly orders: readonly LedgerOrder[];
  readonly tokens: KnownTokens;
}) {
  const meanings = useCodeMeanings();
  const columns: readonly TableColumn<LedgerOrder>[] = [
    { heading: 'Time', cell: ({ at }) => <TimeText at={at} /> },
    { heading: 'Order', cell: ({ requestId }) => <OrderLink scope={scope} id={requestId} /> },
    {
      heading: 'Outcome',
      cell: (order) => <OutcomeCell order={order} meanings={meanings} />,
    },
    {
      heading: 'Swap',
      cell: ({ inputMint, outputMint, inAmount, outAmount }) => (
        <div className="ledger-cell">
          <LedgerAmount tokens={tokens} mint={inputMint} atoms={inAmount} />
          <span>
            → <LedgerAmount tokens={tokens} mint={outputMint} atoms={outAmount} />
          </span>
        </div>
      ),
    },
    { heading: 'Taker', cell: ({ taker }) => (taker === null ? '' : <AddressText address={taker} />) },
    { heading: 'By', cell: ({ router, maker }) => <RouterCell router={router} maker={maker} /> },
    ...(scope.kind === 'instance'
      ? [
          {
            heading: 'For',
            cell: ({ organisation }: LedgerOrder) =>
              organisation === null ? (
                <span className="ledger-muted">no key</span>
              ) : (
                shortenName(organisation, 40)
              ),
          },
        ]
      : []),
    {
      heading: 'Transaction',
      cell: ({ execution }) =>
        execution?.signature == null ? '' : <AddressText address={execution.signature} link="transaction" />,
    },
  ];
  return (
    <VirtualTable
      caption="Orders, newest first"
      columns={columns}
      rows={orders}
      rowKey={({ requestId }) => requestId}
      estimate={64}
    />
  );
}

function RouterCell({ router, maker }: { readonly router: string | null; readonly maker: string | null }) {
  return (
    <div className="ledger-cell">
      <span>{router === null ? 'not known' : shortenName(router, 32)}</span>
      {maker === null ? null : <span className="ledger-muted">with {shortenName(maker, 64)}</span>}
    </div>
  );
}

function OutcomeCell({
  order,
  meanings,
}: {
  readonly order: LedgerOrder;
  readonly meanings: ReadonlyMap<number, CodeMeaning>;
}) {
  const [label, tone] = OUTCOMES[getOrderOutcome(order)];
  const { code = null, reason = null } = order.execution ?? {};
  const words = code === null || code === 0 ? null : (reason ?? meanings.get(code)?.meaning ?? '');
  return (
    <div className={words === null ? 'ledger-cell' : 'ledger-cell ledger-cell--wide'}>
      <Badge tone={tone}>{label}</Badge>
      {words === null ? null : (
        <span className="ledger-muted" title={code === null ? undefined : meanings.get(code)?.meaning}>
          {code}
          {words === '' ? '' : `: ${escapeInvisible(words)}`}
        </span>
      )}
    </div>
  );
}
