import { formatWhole } from '../../../base/format-amount.ts';
import { escapeInvisible } from '../../../base/format-text.ts';
import { type ChartSeries, LineChart } from '../../../parts/charts/line-chart.tsx';
import { Panel } from '../../../parts/page.tsx';
import { formatMicroseconds } from '../../../parts/traffic/traffic-text.ts';
import type { AnalyticsReport } from '../source/analytics-shapes.ts';
import { describeComparison } from '../totals/compare.ts';
import { buildPoints, listElementTimes } from './series.ts';

type SeriesElement = AnalyticsReport['series'][number];
type CountName = 'requests' | 'clientErrors' | 'serverErrors' | 'credits';
type LatencyName = keyof SeriesElement['latency'];

/** Requests, errors, latencies and credits over time. What was in the range before is a thin line. */
export function TrafficCharts({ report }: { readonly report: AnalyticsReport }) {
  const times = listElementTimes(report);
  const shift = report.range.since - report.previousRange.since;
  const hasBefore = describeComparison(report).isWhole && report.previousSeries.length > 0;
  const buildCount = (name: string, field: CountName, tone: number): ChartSeries => ({
    name,
    tone,
    points: buildPoints(times, report.series, 0, (element) => toCountPoint(element?.[field])),
  });
  const buildCountBefore = (name: string, field: CountName): readonly ChartSeries[] =>
    hasBefore
      ? [
          {
            name,
            tone: 1,
            thin: true,
            points: buildPoints(times, report.previousSeries, shift, (element) =>
              toCountPoint(element?.[field]),
            ),
          },
        ]
      : [];
  const buildLatency = (field: LatencyName, tone: number): ChartSeries => ({
    name: field,
    tone,
    points: buildPoints(times, report.series, 0, (element) => toLatencyPoint(element?.latency[field])),
  });
  const latencyBefore: readonly ChartSeries[] = hasBefore
    ? [
        {
          name: 'p95 before',
          tone: 3,
          thin: true,
          points: buildPoints(times, report.previousSeries, shift, (element) =>
            toLatencyPoint(element?.latency.p95),
          ),
        },
      ]
    : [];
  const isEmpty = report.total.requests === 0;
  const empty = 'There were no requests in this range.';
  return (
    <div className="analytics-charts">
      <Panel title="Requests and errors">
        <LineChart
          label="Requests and errors over time"
          yTitle={`requests each ${describeElement(report.bucketMinutes)}`}
          fromZero
          formatY={formatCount}
          empty={empty}
          series={
            isEmpty
              ? []
              : [
                  buildCount('requests', 'requests', 1),
                  buildCount('4xx', 'clientErrors', 2),
                  buildCount('5xx', 'serverErrors', 4),
                  ...buildCountBefore('requests before', 'requests'),
                ]
          }
        />
      </Panel>
      <Panel title="Latency">
        <LineChart
          label="Latency of admitted requests over time"
          yTitle="time until the answer was sent"
          fromZero
          formatY={formatMicroseconds}
          empty={empty}
          series={
            isEmpty
              ? []
              : [
                  buildLatency('p50', 1),
                  buildLatency('p90', 2),
                  buildLatency('p95', 3),
                  buildLatency('p99', 4),
                  ...latencyBefore,
                ]
          }
        />
      </Panel>
      <Panel title="Credits">
        <LineChart
          label="Credits over time"
          yTitle={`credits each ${describeElement(report.bucketMinutes)}`}
          fromZero
          formatY={formatCount}
          empty={empty}
          series={
            isEmpty
              ? []
              : [buildCount('credits', 'credits', 1), ...buildCountBefore('credits before', 'credits')]
          }
        />
      </Panel>
      <FirewallChart report={report} times={times} />
    </div>
  );
}

/** What the firewall did over time. */
function FirewallChart({
  report: { firewallSeries, bucketMinutes },
  times,
}: {
  readonly report: AnalyticsReport;
  readonly times: readonly number[];
}) {
  const outcomes = [...new Set(firewallSeries.map(({ outcome }) => outcome))].sort();
  return (
    <Panel title="Firewall">
      <LineChart
        label="Outcomes of the firewall over time"
        yTitle={`requests each ${describeElement(bucketMinutes)}`}
        fromZero
        formatY={formatCount}
        empty="No rule of the firewall matched a request in this range."
        series={outcomes.map((outcome) => ({
          name: escapeInvisible(outcome),
          points: buildPoints(
            times,
            firewallSeries.filter((element) => element.outcome === outcome),
            0,
            (element) => toCountPoint(element?.requests),
          ),
        }))}
      />
    </Panel>
  );
}

function toCountPoint(count = 0) {
  return { y: count, text: formatWhole(count) };
}

/** A time without an admitted request has no latency, and interrupts the line. */
function toLatencyPoint(microseconds: number | null | undefined) {
  return microseconds == null
    ? { y: Number.NaN, text: 'none' }
    : { y: microseconds, text: formatMicroseconds(microseconds) };
}

function formatCount(value: number): string {
  return Number.isInteger(value) ? formatWhole(value) : String(Number(value.toPrecision(3)));
}

function describeElement(minutes: number): string {
  if (minutes === 1) return 'minute';
  if (minutes < 60) return `${minutes} minutes`;
  if (minutes === 60) return 'hour';
  return minutes === 1_440 ? 'day' : `${minutes / 60} hours`;
}
