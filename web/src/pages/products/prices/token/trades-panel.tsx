import type { KnownTokens } from '../../../../api/known-tokens.ts';
import { formatWhole } from '../../../../base/format-amount.ts';
import { formatUtcTime } from '../../../../base/format-time.ts';
import { AddressText } from '../../../../parts/address-text.tsx';
import { Badge } from '../../../../parts/badge.tsx';
import { DataTable } from '../../../../parts/data-table.tsx';
import { Panel } from '../../../../parts/page.tsx';
import { EmptyNote } from '../../../../parts/status.tsx';
import { Link } from '@tanstack/react-router';
import { MintAmount } from '../../frame/mint-amount.tsx';
import { Dollars } from '../../money/money-text.tsx';
import type { PriceTrade } from '../model/read-trades.ts';

/** The trades of a token since the page was opened. */
export function TradesPanel({
  mint,
  tokens,
  trades,
  count,
}: {
  readonly mint: string;
  readonly tokens: KnownTokens;
  readonly trades: readonly PriceTrade[];
  readonly count: number;
}) {
  const symbol = tokens.getSymbol(mint);
  return (
    <Panel
      title="Trades"
      aside={
        <span className="prices-note">
          {count > trades.length
            ? `the newest ${trades.length} of ${formatWhole(count)} since the page was opened`
            : 'since the page was opened'}
        </span>
      }
    >
      {trades.length === 0 ? (
        <EmptyNote>
          No trade of {symbol} yet. Make one: <Link to="/">the first swap</Link> of the start page trades SOL.
        </EmptyNote>
      ) : (
        <DataTable
          caption={`Trades of ${symbol}`}
          columns={[
            { heading: 'Time', cell: ({ time }) => (time === null ? 'unknown' : formatUtcTime(time)) },
            {
              heading: 'Side',
              cell: ({ isBuy, isRoundTrip, isSandwich }) => (
                <span className="prices-badges">
                  <Badge tone={isBuy ? 'good' : 'danger'}>{isBuy ? 'bought' : 'sold'}</Badge>
                  {isRoundTrip ? <Badge tone="warning">traded back</Badge> : null}
                  {isSandwich ? <Badge tone="warning">sandwich</Badge> : null}
                </span>
              ),
            },
            {
              heading: 'Amount',
              align: 'end',
              cell: ({ amount }) => <MintAmount raw={amount} mint={mint} tokens={tokens} />,
            },
            {
              heading: 'Against',
              align: 'end',
              cell: ({ otherAmount, otherMint }) => (
                <MintAmount raw={otherAmount} mint={otherMint} tokens={tokens} />
              ),
            },
            { heading: 'Value', align: 'end', cell: ({ volume }) => <Dollars value={volume} /> },
            { heading: 'Where', cell: (trade) => <TradeVenue trade={trade} /> },
            {
              heading: 'Wallet',
              cell: ({ trader }) => (trader === null ? '' : <AddressText address={trader} copy={false} />),
            },
            {
              heading: 'Transaction',
              cell: ({ signature }) =>
                signature === null ? '' : <AddressText address={signature} link="transaction" copy={false} />,
            },
          ]}
          rows={trades}
          rowKey={({ key }) => key}
        />
      )}
    </Panel>
  );
}

/** The pool of a trade; a maker's fill has none. */
function TradeVenue({ trade: { venue, pool } }: { readonly trade: PriceTrade }) {
  return pool === null ? (
    venue
  ) : (
    <Link to="/explorer/pool/$address" params={{ address: pool }} preload={false} title={pool}>
      {venue}
    </Link>
  );
}
