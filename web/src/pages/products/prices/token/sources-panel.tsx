import { Link } from '@tanstack/react-router';
import { useInstance } from '../../../../api/instance.ts';
import { useRawQuery } from '../../../../api/raw-query.ts';
import { formatUtcTime } from '../../../../base/format-time.ts';
import { DataTable } from '../../../../parts/data-table.tsx';
import { EmptyNote } from '../../../../parts/status.tsx';
import { AnswerPanel } from '../../frame/answer-panel.tsx';
import { DollarPrice, Percentage } from '../../money/money-text.tsx';
import { usePace } from '../../../../api/pace.ts';
import { useCallOnChange } from '../live/use-price-stream.ts';
import { USD_PRICE_PLACES } from '../model/read-prices.ts';
import { readPriceSources } from '../model/read-price-sources.ts';

/** What stands behind the price of a token: quotes, the last swaps, and what trades of some sizes do to it. */
export function SourcesPanel({
  mint,
  symbol,
  change,
}: {
  readonly mint: string;
  readonly symbol: string;
  /** Another value whenever the token was traded or its price has changed. */
  readonly change: unknown;
}) {
  const query = useRawQuery<unknown>(`/price/v2?ids=${mint}&showExtraInfo=true`);
  const { refetch } = query;
  // The router's quotes are kept for five seconds, so asking more often would tell nothing new.
  const leastMs = usePace(5_000, 60_000);
  useCallOnChange(change, () => void refetch(), leastMs);
  return (
    <AnswerPanel
      title="Where the price comes from"
      aside={
        <Link to="/explorer/pools" search={{ query: mint } as never}>
          Its pools
        </Link>
      }
      what="facts about the price"
      query={query}
    >
      {({ exact }) => {
        const sources = readPriceSources(exact, mint);
        if (sources === null) {
          return (
            <EmptyNote>
              {symbol} has no price: no pool of it is deep enough, or none trades it against a token that has
              one.
            </EmptyNote>
          );
        }
        return (
          <>
            <FeedNote />
            <div className="price-sources">
              <DataTable
                caption="Prices beside that of the pools"
                columns={[
                  { heading: 'Price of', cell: ({ name }) => name },
                  {
                    heading: 'US dollars',
                    align: 'end',
                    cell: ({ price }) => <DollarPrice price={price} places={USD_PRICE_PLACES} />,
                  },
                  { heading: 'At', cell: ({ time }) => (time === null ? '' : formatUtcTime(time)) },
                ]}
                rows={sources.prices}
                rowKey={({ name }) => name}
              />
              <DataTable
                caption="What a trade does to the price"
                columns={[
                  { heading: 'A trade for', cell: ({ size }) => `${size} SOL` },
                  {
                    heading: 'buying moves it by',
                    align: 'end',
                    cell: ({ buying }) =>
                      buying === null ? 'too large' : <Percentage millionths={buying} />,
                  },
                  {
                    heading: 'selling by',
                    align: 'end',
                    cell: ({ selling }) =>
                      selling === null ? 'too large' : <Percentage millionths={selling} />,
                  },
                ]}
                rows={sources.impacts}
                rowKey={({ size }) => size}
              />
            </div>
          </>
        );
      }}
    </AnswerPanel>
  );
}

/** Says which price this is, where there is another one that can be moved. */
function FeedNote() {
  const { data: instance } = useInstance();
  if (instance?.network.kind !== 'embedded') return null;
  return (
    <p className="prices-note">
      This is the price of pools and trades. The lending programs and the demo maker see the price feeds of
      the embedded network. A feed that is moved moves this price too where pools follow the feeds: the{' '}
      {instance.controls ? <Link to="/controls">controls</Link> : 'controls of the admin port'} have a switch
      for that.
    </p>
  );
}
