import { useMemo } from 'react';
import { useRawQuery } from '../../../../api/raw-query.ts';
import { computeShare } from '../../../../base/fixed-point.ts';
import { formatUtcTime } from '../../../../base/format-time.ts';
import { AddressText } from '../../../../parts/address-text.tsx';
import { Badge } from '../../../../parts/badge.tsx';
import { DataTable } from '../../../../parts/data-table.tsx';
import { PlaygroundLink } from '../../../../parts/raw-answer.tsx';
import { EmptyNote } from '../../../../parts/status.tsx';
import { AnswerPanel } from '../../frame/answer-panel.tsx';
import { FilledBar } from '../../frame/filled-bar.tsx';
import { StackedRows } from '../../frame/stacked-rows.tsx';
import { formatContracts, formatOptionalDollars } from '../model/format-contracts.ts';
import { parsePredictionOrders, type PredictionOrderView } from '../model/parse-holdings.ts';
import { MarketLink } from './market-link.tsx';

const REFETCH_MS = 3_000;
const MAX_ORDERS = 100;

/** The orders of a wallet that wait in the books of markets. */
export function OpenOrders({ address }: { readonly address: string }) {
  const query = useRawQuery(
    `/prediction/v1/orders?${new URLSearchParams({ ownerPubkey: address, start: '0', end: String(MAX_ORDERS) })}`,
    { refetchMs: REFETCH_MS },
  );
  const orders = useMemo(
    () => (query.data === undefined ? [] : parsePredictionOrders(query.data.exact)),
    [query.data],
  );
  return (
    <AnswerPanel title="Open orders" what="open orders" query={query}>
      {() =>
        orders.length === 0 ? (
          <EmptyNote>
            No order of this wallet waits. One without a price is filled or ended within seconds; one with{' '}
            <code>maxBuyPriceUsd</code> waits in the book.
          </EmptyNote>
        ) : (
          <StackedRows>
            <DataTable
              caption="Open orders"
              rows={orders}
              rowKey={({ address: own }) => own}
              columns={[
                { heading: 'Market', cell: (order) => <MarketLink of={order} /> },
                { heading: 'Order', cell: (order) => <OrderTermsOfSide order={order} /> },
                {
                  heading: 'Filled',
                  cell: ({ contracts, filled }) => (
                    <FilledBar
                      millionths={
                        contracts === null || filled === null ? null : computeShare(filled, contracts)
                      }
                    >
                      of {formatContracts(contracts)}
                    </FilledBar>
                  ),
                },
                { heading: 'State', cell: ({ state }) => <Badge tone="accent">{state}</Badge> },
                {
                  heading: 'Events',
                  cell: ({ address: own }) => (
                    <PlaygroundLink path={`/prediction/v1/orders/status/${own}`}>
                      Ask what became of it
                    </PlaygroundLink>
                  ),
                },
              ]}
            />
          </StackedRows>
        )
      }
    </AnswerPanel>
  );
}

function OrderTermsOfSide({
  order: { isBuy, isYes, limit, createdAt, address },
}: {
  readonly order: PredictionOrderView;
}) {
  return (
    <>
      {isBuy ? 'buys' : 'sells'} {isYes ? 'yes' : 'no'}
      {limit === null ? '' : ` at ${isBuy ? 'most' : 'least'} ${formatOptionalDollars(limit)}`}
      {createdAt === null ? null : (
        <span className="event-table__note">since {formatUtcTime(createdAt)}</span>
      )}
      <AddressText address={address} />
    </>
  );
}
