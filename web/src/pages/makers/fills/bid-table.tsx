import { Link } from '@tanstack/react-router';
import { formatBriefDuration, formatUtcTime } from '../../../base/format-time.ts';
import type { KnownTokens } from '../../../api/known-tokens.ts';
import { formatDollars } from '../../../base/format-dollars.ts';
import { formatBriefUnits } from '../../../base/format-brief.ts';
import { escapeInvisible, shortenAddress } from '../../../base/format-text.ts';
import { AddressText } from '../../../parts/address-text.tsx';
import { Badge } from '../../../parts/badge.tsx';
import { CopyButton } from '../../../parts/copy-button.tsx';
import type { TableColumn } from '../../../parts/data-table.tsx';
import { VirtualTable } from '../../../parts/live/virtual-table.tsx';
import type { MakerBid } from '../source/bid-shapes.ts';
import { labelToken } from '../../../api/token-label.ts';
import { describeReason } from '../../../base/losing-reasons.ts';

/** Orders of a maker with what became of them. */
export function BidTable({
  bids,
  tokens,
  hasResult,
  isOperator,
}: {
  readonly bids: readonly MakerBid[];
  readonly tokens: KnownTokens;
  /** Whether the rows differ in whether they were won. */
  readonly hasResult: boolean;
  /** Whether the whole order may be read. */
  readonly isOperator: boolean;
}) {
  const columns: readonly TableColumn<MakerBid>[] = [
    { heading: 'Time', cell: ({ at }) => formatUtcTime(at) },
    { heading: 'Swap', cell: (bid) => <PairText bid={bid} tokens={tokens} /> },
    ...(hasResult ? [{ heading: 'Result', cell: describeResult }] : []),
    { heading: 'Fill', cell: ({ fill }) => <FillState fill={fill} /> },
    { heading: 'Last look', align: 'end', cell: ({ fill }) => describeLastLook(fill) },
    {
      heading: 'Paid',
      align: 'end',
      cell: ({ fill }) => <SideText side={fill?.paid ?? null} tokens={tokens} />,
    },
    {
      heading: 'Received',
      align: 'end',
      cell: ({ fill }) => <SideText side={fill?.received ?? null} tokens={tokens} />,
    },
    {
      heading: 'Worth',
      align: 'end',
      cell: ({ fill }) => (fill?.microDollars == null ? '' : formatDollars(fill.microDollars * 1_000n)),
    },
    {
      heading: 'Transaction',
      cell: ({ fill }) =>
        fill?.signature == null ? '' : <AddressText address={fill.signature} link="transaction" />,
    },
    { heading: 'Taker', cell: ({ taker }) => (taker === null ? '' : <AddressText address={taker} />) },
    { heading: 'Order', cell: ({ requestId }) => <OrderId id={requestId} isOperator={isOperator} /> },
  ];
  return (
    <VirtualTable
      caption="Orders of the maker"
      columns={columns}
      rows={bids}
      rowKey={({ requestId }) => requestId}
    />
  );
}

function PairText({ bid, tokens }: { readonly bid: MakerBid; readonly tokens: KnownTokens }) {
  const { inputMint, outputMint, channel } = bid;
  const [from, to] = [inputMint, outputMint].map((mint) => (mint === null ? '?' : labelToken(tokens, mint)));
  return (
    <span title={channel === null ? undefined : `quoted by ${escapeInvisible(channel)}`}>
      {from} → {to}
    </span>
  );
}

const TONES: Readonly<Record<string, 'good' | 'warning' | 'danger' | 'accent'>> = {
  confirmed: 'good',
  offered: 'accent',
  expired: 'warning',
  failed: 'danger',
  rejected: 'danger',
};

function FillState({ fill }: { readonly fill: MakerBid['fill'] }) {
  if (fill === null) return <span className="maker-muted">not executed</span>;
  return (
    <div className="maker-cell">
      <span>
        <Badge tone={TONES[fill.state] ?? 'plain'}>{escapeInvisible(fill.state)}</Badge>
      </span>
      {fill.failure === null ? null : (
        <span className="maker-reason maker-muted">{escapeInvisible(fill.failure)}</span>
      )}
    </div>
  );
}

function SideText({
  side,
  tokens,
}: {
  readonly side: { readonly mint: string; readonly atoms: bigint } | null;
  readonly tokens: KnownTokens;
}) {
  if (side === null) return null;
  const { decimals } = tokens.findMarket(side.mint);
  return (
    <span title={`${side.atoms} of the smallest unit`}>
      {decimals === null ? `${side.atoms} atoms of` : formatBriefUnits(side.atoms, decimals)}{' '}
      {labelToken(tokens, side.mint)}
    </span>
  );
}

function OrderId({ id, isOperator }: { readonly id: string; readonly isOperator: boolean }) {
  const shown = escapeInvisible(shortenAddress(id));
  return (
    <span className="address-text address-text--mono" title={id}>
      {isOperator ? (
        <Link to="/operate/orders/$order" params={{ order: id }} preload={false}>
          {shown}
        </Link>
      ) : (
        <span>{shown}</span>
      )}
      <CopyButton text={id} label="Copy the id of the order" />
    </span>
  );
}

function describeResult({ lost, detail }: MakerBid) {
  if (lost === null) return 'won';
  return (
    <div className="maker-reason">
      lost: {describeReason(lost)}
      {detail === null ? '' : ` (${escapeInvisible(detail)})`}
    </div>
  );
}

function describeLastLook(fill: MakerBid['fill']): string {
  if (fill === null) return '';
  if (fill.lastLookMs === null) return fill.answer ?? 'no answer';
  return `${formatBriefDuration(fill.lastLookMs)}${fill.answer === null ? '' : `, ${fill.answer}`}`;
}
