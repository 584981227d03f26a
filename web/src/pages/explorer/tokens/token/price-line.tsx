import { useRawQuery } from '../../../../api/raw-query.ts';
import { getCoordinate, getItems } from '../../../../base/read-json.ts';
import { LineChart } from '../../../../parts/charts/line-chart.tsx';
import { RawAnswer } from '../../../../parts/raw-answer.tsx';
import { ErrorNote, Loading } from '../../../../parts/status.tsx';

const REFRESH_MS = 5_000;
const HEIGHT = 180;

/** The price of a token as a small line of the last candles. */
export function PriceLine({ mint }: { readonly mint: string }) {
  const path = `/price/v3/candles?${new URLSearchParams({ mint, interval: '5m' })}`;
  const { data, error, refetch } = useRawQuery<unknown>(path, { refetchMs: REFRESH_MS });
  if (data === undefined) {
    return error === null ? (
      <Loading what="prices" />
    ) : (
      <ErrorNote error={error} onRetry={() => void refetch()} />
    );
  }
  const points = getItems(data.exact, 'candles').flatMap((candle) => {
    const [time, close] = [getCoordinate(candle, 'time'), getCoordinate(candle, 'close')];
    return time === null || close === null ? [] : [{ x: time * 1_000, y: close }];
  });
  return (
    <>
      <LineChart
        label="Price in dollars"
        series={[{ name: 'Price', points }]}
        yTitle="USD"
        height={HEIGHT}
        formatY={(value) => `$${Number(value.toPrecision(6))}`}
        empty="No pool has priced it yet. A swap over a pool of the token gives it a price."
      />
      <RawAnswer raw={data} name="of the prices" />
    </>
  );
}
