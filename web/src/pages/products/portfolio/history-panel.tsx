import { useRawQuery } from '../../../api/raw-query.ts';
import { formatDollars } from '../../../base/format-dollars.ts';
import { formatUtcTime } from '../../../base/format-time.ts';
import { LineChart } from '../../../parts/charts/line-chart.tsx';
import { PlaygroundLink } from '../../../parts/raw-answer.tsx';
import { EmptyNote } from '../../../parts/status.tsx';
import { AnswerPanel } from '../frame/answer-panel.tsx';
import { readHistory, type WorthHistory } from './model/read-history.ts';

/** A value is added each hour; the first one comes within some minutes. */
const REFRESH_MS = 60_000;

/** What a wallet was worth in the last thirty days. */
export function HistoryPanel({ address }: { readonly address: string }) {
  const path = `/portfolio/v1/history/${address}`;
  const query = useRawQuery<unknown>(path, { refetchMs: REFRESH_MS });
  return (
    <AnswerPanel title="What it was worth" what="hourly values" query={query}>
      {({ exact }) => <WorthChart history={readHistory(exact)} path={path} />}
    </AnswerPanel>
  );
}

function WorthChart({ history, path }: { readonly history: WorthHistory; readonly path: string }) {
  const { since, points } = history;
  if (since === null && points.length === 0) {
    return (
      <EmptyNote>
        <p>
          Nobody has asked for the history of this wallet. It begins with the first request that has an API
          key: one value an hour, for thirty days.
        </p>
        <PlaygroundLink path={path}>Ask for it in the playground</PlaygroundLink>
      </EmptyNote>
    );
  }
  return (
    <LineChart
      label="What the wallet was worth"
      yTitle="US dollars"
      series={[
        {
          name: 'Value',
          points: points.map(({ time, value, coordinate }) => ({
            x: time,
            y: coordinate,
            text: formatDollars(value),
          })),
        },
      ]}
      formatY={formatAxisDollars}
      empty={
        since === null
          ? 'There is no value yet.'
          : `Followed since ${formatUtcTime(since)}. The first value comes within some minutes.`
      }
    />
  );
}

/** Formats a tick of an axis of dollars. */
function formatAxisDollars(value: number): string {
  return `$${value.toLocaleString('en', { notation: 'compact', maximumFractionDigits: 2 })}`;
}
