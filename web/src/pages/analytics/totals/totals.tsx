import { formatWhole } from '../../../base/format-amount.ts';
import { Panel } from '../../../parts/page.tsx';
import { Stat, StatList } from '../../../parts/stat.tsx';
import { formatMicroseconds, formatPercentage } from '../../../parts/traffic/traffic-text.ts';
import type { AnalyticsReport } from '../source/analytics-shapes.ts';
import { describeChange, describeComparison } from './compare.ts';

/** The totals of the range, with the change to the range before. */
export function TotalsPanel({ report }: { readonly report: AnalyticsReport }) {
  const { total, previous, change } = report;
  const comparison = describeComparison(report);
  const renderCount = (label: string, now: number, before: number, by: number | null) => (
    <Stat label={label} value={formatWhole(now)} note={describeChange(by, formatWhole(before), comparison)} />
  );
  const renderTime = (name: 'p50' | 'p95' | 'p99', label: string) => (
    <Stat
      label={label}
      value={formatLatency(total.latency[name])}
      note={describeChange(change[name], formatLatency(previous.latency[name]), comparison)}
    />
  );
  return (
    <Panel title="Totals">
      <StatList>
        {renderCount('Requests', total.requests, previous.requests, change.requests)}
        {renderCount('Errors', countErrors(total), countErrors(previous), change.errors)}
        <Stat
          label="Share of errors"
          value={formatPercentage(total.errorShare)}
          note={describeChange(change.errorShare, formatPercentage(previous.errorShare), comparison)}
        />
        {renderCount('Credits', total.credits, previous.credits, change.credits)}
        {renderTime('p50', 'Latency, half below (p50)')}
        {renderTime('p95', '95% below (p95)')}
        {renderTime('p99', '99% below (p99)')}
      </StatList>
      <p className="analytics-note">{comparison.text}</p>
    </Panel>
  );
}

/** Formats a latency in microseconds; null: no request was admitted. */
export function formatLatency(microseconds: number | null): string {
  return microseconds === null ? 'none' : formatMicroseconds(microseconds);
}

function countErrors({
  clientErrors,
  serverErrors,
}: Pick<AnalyticsReport['total'], 'clientErrors' | 'serverErrors'>): number {
  return clientErrors + serverErrors;
}
