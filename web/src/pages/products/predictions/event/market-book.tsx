import { useMemo } from 'react';
import { useRawQuery } from '../../../../api/raw-query.ts';
import { formatUnits } from '../../../../base/format-amount.ts';
import { DepthChart, type DepthPoint } from '../../../../parts/charts/depth-chart.tsx';
import { DataTable } from '../../../../parts/data-table.tsx';
import { AnswerPanel } from '../../frame/answer-panel.tsx';
import { formatContractPrice } from '../model/format-contracts.ts';
import { type BookLevel, type BookView, CONTRACT_DECIMALS, parseBook } from '../model/parse-book.ts';
import type { MarketView } from '../model/parse-events.ts';

const REFETCH_MS = 3_000;
/** Levels of each side that the ladder shows. The chart has all of them. */
const SHOWN_LEVELS = 6;

/** The order book of a market for yes contracts, as a chart and as a ladder. */
export function MarketBook({ market }: { readonly market: MarketView }) {
  const query = useRawQuery(`/prediction/v1/orderbook/${encodeURIComponent(market.id)}`, {
    refetchMs: REFETCH_MS,
  });
  const book = useMemo(() => (query.data === undefined ? null : parseBook(query.data.exact)), [query.data]);
  return (
    <AnswerPanel title={`Order book of ${market.title}`} what="order book" query={query}>
      {() => (book === null ? null : <BookPicture book={book} title={market.title} />)}
    </AnswerPanel>
  );
}

function BookPicture({ book: { bids, asks }, title }: { readonly book: BookView; readonly title: string }) {
  const rows = [
    ...asks.slice(0, SHOWN_LEVELS).toReversed().map(toAsk),
    ...bids.slice(0, SHOWN_LEVELS).map(toBid),
  ];
  return (
    <>
      <DepthChart
        label={`Depth of ${title}`}
        priceLabel="Dollars for one yes contract"
        sizeLabel="Contracts"
        curve="step"
        bids={toDepth(bids, 'sold')}
        asks={toDepth(asks, 'bought')}
        formatPrice={(price) => `$${price.toFixed(2)}`}
        table={{
          columns: ['Side', 'Price', 'Contracts'],
          rows: [...asks.toReversed().map(toAsk), ...bids.map(toBid)].map(({ side, price, contracts }) => [
            side,
            formatContractPrice(price),
            formatUnits(contracts, CONTRACT_DECIMALS),
          ]),
        }}
        empty="Nobody bids for contracts of this market now."
      />
      {rows.length === 0 ? null : (
        <div className="book-ladder">
          <DataTable
            caption="The best prices"
            rows={rows}
            rowKey={({ side, price }) => `${side} ${price}`}
            columns={[
              {
                heading: 'Side',
                cell: ({ side }) => <span className={`book-ladder__${side}`}>{side}</span>,
              },
              { heading: 'Price of yes', align: 'end', cell: ({ price }) => formatContractPrice(price) },
              {
                heading: 'Contracts',
                align: 'end',
                cell: ({ contracts }) => formatUnits(contracts, CONTRACT_DECIMALS),
              },
            ]}
          />
        </div>
      )}
    </>
  );
}

function toBid(level: BookLevel) {
  return { ...level, side: 'bid' };
}

function toAsk(level: BookLevel) {
  return { ...level, side: 'ask' };
}

/** Sums the contracts from the best price on. The numbers are coordinates, the texts are exact. */
function toDepth(levels: readonly BookLevel[], verb: 'sold' | 'bought'): readonly DepthPoint[] {
  let sum = 0n;
  return levels.map(({ price, contracts }) => {
    sum += contracts;
    return {
      price: Number(price) / 1e9,
      size: Number(sum) / 1e6,
      readout: `${formatUnits(sum, CONTRACT_DECIMALS)} contracts can be ${verb} until ${formatContractPrice(price)} each.`,
    };
  });
}
