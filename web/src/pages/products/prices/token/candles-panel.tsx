import { useRawQuery } from '../../../../api/raw-query.ts';
import { formatPrice } from '../../../../base/format-price.ts';
import { parseFixed } from '../../../../base/fixed-point.ts';
import { CandleChart } from '../../../../parts/charts/candle-chart.tsx';
import { ChoiceBar } from '../../../../parts/choice-bar.tsx';
import { usePageSearch } from '../../../../parts/page-search.ts';
import { AnswerPanel } from '../../frame/answer-panel.tsx';
import { usePace } from '../../../../api/pace.ts';
import { useCallOnChange } from '../live/use-price-stream.ts';
import { CANDLE_INTERVALS, parseInterval, readCandles } from '../model/read-candles.ts';
import { USD_PRICE_PLACES } from '../model/read-prices.ts';

const IDLE_REFRESH_MS = 15_000;

/** The prices of a token over time, as candles. */
export function CandlesPanel({
  mint,
  symbol,
  change,
}: {
  readonly mint: string;
  readonly symbol: string;
  /** Another value whenever the token was traded or its price has changed. */
  readonly change: unknown;
}) {
  const [search, setSearch] = usePageSearch();
  const interval = parseInterval(search.interval);
  const seconds = CANDLE_INTERVALS.find(([name]) => name === interval)?.[2] ?? 60;
  const query = useRawQuery<unknown>(`/price/v3/candles?mint=${mint}&interval=${interval}`, {
    refetchMs: IDLE_REFRESH_MS,
  });
  const { refetch } = query;
  // After a change of the price candles are asked for again, but not more often than this.
  const leastMs = usePace(2_000, 15_000);
  useCallOnChange(change, () => void refetch(), leastMs);
  return (
    <AnswerPanel
      title="Candles"
      aside={
        <ChoiceBar
          label="Length of a candle"
          choices={CANDLE_INTERVALS.map(([name, label]) => [name, label] as const)}
          chosen={interval}
          onChoose={(next) => setSearch({ interval: next })}
        />
      }
      what="candles"
      query={query}
    >
      {({ exact }) => (
        <>
          <CandleChart
            label={`Prices of ${symbol}`}
            priceLabel={`US dollars for one ${symbol}`}
            intervalMs={seconds * 1_000}
            candles={readCandles(exact)}
            formatPrice={formatAxisPrice}
            empty="Nothing was traded and no price has changed in this time. A swap, or a price that is moved, makes the first candle."
          />
          <p className="prices-note">
            Times are those of the network's clock. Intervals in which nothing happened have no candle.
          </p>
        </>
      )}
    </AnswerPanel>
  );
}

/** Formats a tick of the axis. */
function formatAxisPrice(price: number): string {
  const exact = parseFixed(String(price), USD_PRICE_PLACES);
  return exact === null ? String(price) : `$${formatPrice(exact, USD_PRICE_PLACES)}`;
}
