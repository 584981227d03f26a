import type { KnownTokens } from '../../../api/known-tokens.ts';
import type { Scope } from '../../../api/scope.ts';
import { formatBriefDuration } from '../../../base/format-time.ts';
import { escapeInvisible, shortenName } from '../../../base/format-text.ts';
import { AddressText } from '../../../parts/address-text.tsx';
import { Badge } from '../../../parts/badge.tsx';
import type { TableColumn } from '../../../parts/data-table.tsx';
import { VirtualTable } from '../../../parts/live/virtual-table.tsx';
import { TimeText } from '../../../parts/time-text.tsx';
import type { FillRow } from '../source/ledger-shapes.ts';
import { FILL_TONES } from '../text/fill-states.ts';
import { LedgerAmount } from '../text/ledger-amount.tsx';
import { OrderLink } from './order-link.tsx';

/** Fills that makers were offered, with their last look and what they moved. */
export function FillTable({
  scope,
  fills,
  tokens,
}: {
  readonly scope: Scope;
  readonly fills: readonly FillRow[];
  readonly tokens: KnownTokens;
}) {
  const columns: readonly TableColumn<FillRow>[] = [
    { heading: 'Time', cell: ({ at }) => <TimeText at={at} /> },
    { heading: 'Order', cell: ({ requestId }) => <OrderLink scope={scope} id={requestId} /> },
    { heading: 'Maker', cell: ({ maker }) => shortenName(maker, 64) },
    { heading: 'State', cell: ({ fill }) => <StateCell fill={fill} /> },
    { heading: 'Last look', align: 'end', cell: ({ fill }) => formatLastLook(fill) },
    {
      heading: 'Paid by the maker',
      align: 'end',
      cell: ({ fill }) =>
        fill?.paid == null ? (
          ''
        ) : (
          <LedgerAmount tokens={tokens} mint={fill.paid.mint} atoms={fill.paid.atoms} />
        ),
    },
    {
      heading: 'Received by it',
      align: 'end',
      cell: ({ fill }) =>
        fill?.received == null ? (
          ''
        ) : (
          <LedgerAmount tokens={tokens} mint={fill.received.mint} atoms={fill.received.atoms} />
        ),
    },
    { heading: 'Taker', cell: ({ taker }) => (taker === null ? '' : <AddressText address={taker} />) },
    {
      heading: 'Transaction',
      cell: ({ fill }) =>
        fill?.signature == null ? '' : <AddressText address={fill.signature} link="transaction" />,
    },
  ];
  return (
    <VirtualTable
      caption="Fills, newest first"
      columns={columns}
      rows={fills}
      rowKey={({ requestId, maker }) => `${requestId} ${maker}`}
      estimate={64}
    />
  );
}

function StateCell({ fill }: Pick<FillRow, 'fill'>) {
  if (fill === null) return null;
  return (
    <div className={fill.failure === null ? 'ledger-cell' : 'ledger-cell ledger-cell--wide'}>
      <Badge tone={FILL_TONES[fill.state] ?? 'plain'}>{escapeInvisible(fill.state)}</Badge>
      {fill.failure === null ? null : <span className="ledger-muted">{escapeInvisible(fill.failure)}</span>}
    </div>
  );
}

function formatLastLook(fill: FillRow['fill']): string {
  if (fill === null) return '';
  if (fill.lastLookMs === null) return fill.answer ?? 'no answer';
  return `${formatBriefDuration(fill.lastLookMs)}${fill.answer === null ? '' : `, ${fill.answer}`}`;
}
