import { useMemo } from 'react';
import { useRawQuery } from '../../../../api/raw-query.ts';
import { formatShare } from '../../../../base/format-dollars.ts';
import { LineChart } from '../../../../parts/charts/line-chart.tsx';
import { AnswerPanel } from '../../frame/answer-panel.tsx';
import { parseChances } from '../model/parse-everybody.ts';
import type { MarketView } from '../model/parse-events.ts';

const REFETCH_MS = 10_000;

/** How the chance of a market went. */
export function ChanceChart({ market }: { readonly market: MarketView }) {
  const query = useRawQuery(`/prediction/v1/forecast?${new URLSearchParams({ marketId: market.id })}`, {
    refetchMs: REFETCH_MS,
  });
  const points = useMemo(
    () =>
      (query.data === undefined ? [] : parseChances(query.data.exact)).map(({ at, chance }) => ({
        x: at,
        y: Number(chance) / 10_000,
        text: formatShare(chance),
      })),
    [query.data],
  );
  return (
    <AnswerPanel title={`Chance of ${market.title}`} what="chances" query={query}>
      {() => (
        <LineChart
          label={`The chance of ${market.title} over time`}
          series={[{ name: 'chance', points }]}
          step
          yTitle="Percent"
          formatY={(value) => `${value.toFixed(1)}%`}
          empty="The chance has not been recorded yet."
        />
      )}
    </AnswerPanel>
  );
}
