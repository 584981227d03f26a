import { Link } from '@tanstack/react-router';
import { Badge } from '../../../../parts/badge.tsx';
import { DataTable } from '../../../../parts/data-table.tsx';
import { StackedRows } from '../../frame/stacked-rows.tsx';
import { formatContractPrice, formatOptionalDollars } from '../model/format-contracts.ts';
import type { MarketView } from '../model/parse-events.ts';

/** The markets of an event: what a contract of each side costs now, and brings. */
export function MarketTable({
  eventId,
  markets,
  chosen,
}: {
  readonly eventId: string;
  readonly markets: readonly MarketView[];
  /** The market whose book is shown. */
  readonly chosen: string | null;
}) {
  return (
    <StackedRows>
      <DataTable
        caption="Markets"
        rows={markets}
        rowKey={({ id }) => id}
        columns={[
          {
            heading: 'Market',
            cell: ({ id, title }) => (
              <Link
                to="/products/predictions"
                search={{ event: eventId, market: id } as never}
                aria-current={id === chosen ? 'true' : undefined}
                className="market-table__title"
                resetScroll={false}
              >
                {title}
              </Link>
            ),
          },
          {
            heading: 'Yes',
            cell: ({ buyYes, sellYes }) => <SidePrice side="yes" buy={buyYes} sell={sellYes} />,
          },
          {
            heading: 'No',
            cell: ({ buyNo, sellNo, isForecast }) =>
              isForecast ? 'see the other side' : <SidePrice side="no" buy={buyNo} sell={sellNo} />,
          },
          { heading: 'Traded', align: 'end', cell: ({ volume }) => formatOptionalDollars(volume) },
          { heading: 'State', cell: (market) => <MarketState market={market} /> },
          { heading: 'Trade', cell: (market) => <BuyLink market={market} /> },
        ]}
      />
    </StackedRows>
  );
}

function SidePrice({
  side,
  buy,
  sell,
}: {
  readonly side: 'yes' | 'no';
  readonly buy: bigint | null;
  readonly sell: bigint | null;
}) {
  return (
    <span className="market-table__price">
      <span className="visually-hidden">{side}: </span>
      {buy === null ? 'not offered' : `buy ${formatContractPrice(buy)}`}
      {sell === null ? '' : `, sell ${formatContractPrice(sell)}`}
    </span>
  );
}

function MarketState({ market: { state, result, isTradable } }: { readonly market: MarketView }) {
  if (result !== null) return <Badge tone="good">{`result: ${result}`}</Badge>;
  return <Badge tone={isTradable ? 'accent' : 'warning'}>{isTradable ? 'open' : state}</Badge>;
}

function BuyLink({ market: { id, isTradable } }: { readonly market: MarketView }) {
  if (!isTradable) return null;
  return (
    <Link
      to="/playground/$operationId"
      params={{ operationId: 'BuildPredictionOrder' }}
      search={
        {
          body: JSON.stringify({ marketId: id, isYes: true, isBuy: true, depositAmount: '5000000' }),
        } as never
      }
    >
      Buy in the playground
    </Link>
  );
}
