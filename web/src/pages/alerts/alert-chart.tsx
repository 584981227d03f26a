import { type InstanceAlert, useAlertHistory } from '../../api/alerts.ts';
import { LineChart } from '../../parts/charts/line-chart.tsx';
import { ErrorNote } from '../../parts/status.tsx';
import { formatLabels, formatReading } from './alert-texts.ts';

const THRESHOLD_NAME = 'fires from here';

/** The values that an alert compared in the last hour, beside the value from which it fires. */
export function AlertChart({ alert }: { readonly alert: InstanceAlert }) {
  const { data, error } = useAlertHistory(alert.name);
  if (data === undefined) return error === null ? null : <ErrorNote error={error} />;
  const series = data.curves.map(({ labels, points }) => ({
    name: formatLabels(labels) || 'value',
    points: points.flatMap(({ at, value }) =>
      value === null ? [] : [{ x: at, y: value, text: formatReading(value) }],
    ),
  }));
  const times = series.flatMap(({ points }) => points.map(({ x }) => x));
  const limit =
    alert.threshold === null || times.length === 0 ? [] : [makeLimit(alert.threshold.value, times)];
  return (
    <LineChart
      label={`${alert.name}: its value in the last hour`}
      series={[...series.slice(0, 5), ...limit]}
      height={150}
      fromZero
      formatY={formatReading}
      empty="It had no value in the last hour."
    />
  );
}

function makeLimit(y: number, times: readonly number[]) {
  const ends = [Math.min(...times), Math.max(...times)];
  return { name: THRESHOLD_NAME, points: ends.map((x) => ({ x, y, text: formatReading(y) })) };
}
