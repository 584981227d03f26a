import type { ReactNode } from 'react';
import type { Scope } from '../../../api/scope.ts';
import { formatWhole } from '../../../base/format-amount.ts';
import { escapeInvisible, shortenName } from '../../../base/format-text.ts';
import { BarList } from '../../../parts/charts/share-bar.tsx';
import { DataTable, type TableColumn } from '../../../parts/data-table.tsx';
import { Panel } from '../../../parts/page.tsx';
import type { PageSearch } from '../../../parts/page-search.ts';
import { EmptyNote } from '../../../parts/status.tsx';
import { formatPercentage } from '../../../parts/traffic/traffic-text.ts';
import type { AnalyticsReport } from '../source/analytics-shapes.ts';
import { formatLatency } from '../totals/totals.tsx';
import { LogLink } from '../../../parts/manage/log-link.tsx';

const MAX_NAME = 64;

/** Who sent what, and what became of it. Each row leads to its requests in the log. */
export function Breakdowns({
  report,
  scope,
  search,
}: {
  readonly report: AnalyticsReport;
  readonly scope: Scope;
  /** The range and the team, as the address of the log has them. */
  readonly search: PageSearch;
}) {
  const renderLink = (filter: PageSearch, children: ReactNode) => (
    <LogLink scope={scope} search={{ ...search, ...filter }}>
      {children}
    </LogLink>
  );
  return (
    <>
      <RowsPanel
        title="Endpoints"
        caption="The endpoints with the most requests"
        rows={report.endpoints}
        rowKey={({ endpoint }) => endpoint}
        columns={[
          {
            heading: 'Endpoint',
            cell: ({ endpoint }) =>
              renderLink(
                { endpoint: endpoint === '' ? 'none' : endpoint },
                endpoint === '' ? 'no route' : <code>{escapeInvisible(endpoint)}</code>,
              ),
          },
          ...buildCountColumns<AnalyticsReport['endpoints'][number]>(report.total.requests),
          { heading: 'p50', align: 'end', cell: ({ latency }) => formatLatency(latency.p50) },
          { heading: 'p95', align: 'end', cell: ({ latency }) => formatLatency(latency.p95) },
          { heading: 'p99', align: 'end', cell: ({ latency }) => formatLatency(latency.p99) },
        ]}
      />
      <RowsPanel
        title="Keys"
        caption="The keys with the most requests"
        rows={report.keys}
        rowKey={({ organisation, team, key }) => `${organisation}/${team}/${key}`}
        columns={[
          {
            heading: 'Key',
            cell: ({ organisation, team, key }) =>
              organisation === null || team === null
                ? scope.kind === 'instance'
                  ? renderLink({ key: 'none' }, 'without a valid key')
                  : 'without a valid key'
                : renderLink(
                    scope.kind === 'instance' ? { organisation, team, key } : { team, key },
                    joinNames([...(scope.kind === 'instance' ? [organisation] : []), team, key]),
                  ),
          },
          ...buildCountColumns<AnalyticsReport['keys'][number]>(report.total.requests),
        ]}
      />
      <div className="analytics-charts">
        <Panel title="Statuses">
          <BarList
            label="Requests by status"
            empty="There were no requests in this range."
            bars={report.statuses.map(({ status, requests }) => ({
              key: String(status),
              name: renderLink({ status: String(status) }, status),
              value: requests,
              text: `${formatWhole(requests)}, ${formatPercentage(requests / report.total.requests)}`,
              tone: status >= 500 ? 'bad' : status >= 400 ? 'warning' : 'good',
            }))}
          />
        </Panel>
        <Panel title="Countries">
          <BarList
            label="Requests by country"
            empty="There were no requests in this range."
            bars={report.countries.map(({ country, requests }) => ({
              key: country ?? '',
              name: renderLink({ country: country ?? 'unknown' }, escapeInvisible(country ?? 'unknown')),
              value: requests,
              text: `${formatWhole(requests)}, ${formatPercentage(requests / report.total.requests)}`,
            }))}
          />
        </Panel>
      </div>
      <RowsPanel
        title="Firewall rules"
        caption="Rules of the firewall that matched"
        empty="No rule of the firewall matched a request in this range."
        rows={report.firewall}
        rowKey={({ organisation, team, rule, outcome }) => `${organisation}/${team}/${rule}/${outcome}`}
        columns={[
          {
            heading: 'Rule',
            cell: ({ organisation, team, rule, outcome }) =>
              renderLink(
                {
                  ...(scope.kind === 'instance' ? { organisation } : {}),
                  team,
                  ...(outcome === 'matched' ? { matched: rule } : { rule, outcome }),
                },
                joinNames([...(scope.kind === 'instance' ? [organisation] : []), team, rule]),
              ),
          },
          {
            heading: 'What it did',
            cell: ({ outcome }) => OUTCOME_TEXTS.get(outcome) ?? escapeInvisible(outcome),
          },
          { heading: 'Requests', align: 'end', cell: ({ requests }) => formatWhole(requests) },
        ]}
      />
    </>
  );
}

function joinNames(names: readonly string[]): ReactNode {
  return (
    <span className="analytics-name">
      {names.map((name) => shortenName(escapeInvisible(name), MAX_NAME)).join(' / ')}
    </span>
  );
}

const OUTCOME_TEXTS: ReadonlyMap<string, string> = new Map([
  ['matched', 'matched, whatever decided'],
  ['bypass', 'let through (bypass)'],
  ['deny', 'denied'],
  ['limit', 'limited'],
  ['allow', 'counted, below its limit (allow)'],
  ['log', 'logged'],
]);

interface CountedRow {
  readonly requests: number;
  readonly clientErrors: number;
  readonly serverErrors: number;
  readonly credits: number;
}

function buildCountColumns<Row extends CountedRow>(whole: number): readonly TableColumn<Row>[] {
  return [
    { heading: 'Requests', align: 'end', cell: ({ requests }) => formatWhole(requests) },
    {
      heading: 'Share',
      align: 'end',
      cell: ({ requests }) => formatPercentage(whole > 0 ? requests / whole : null),
    },
    { heading: '4xx', align: 'end', cell: ({ clientErrors }) => formatWhole(clientErrors) },
    { heading: '5xx', align: 'end', cell: ({ serverErrors }) => formatWhole(serverErrors) },
    { heading: 'Credits', align: 'end', cell: ({ credits }) => formatWhole(credits) },
  ];
}

function RowsPanel<Row>({
  title,
  caption,
  rows,
  rowKey,
  columns,
  empty = 'There were no requests in this range.',
}: {
  readonly title: string;
  readonly caption: string;
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly columns: readonly TableColumn<Row>[];
  readonly empty?: string;
}) {
  return (
    <Panel title={title}>
      {rows.length === 0 ? (
        <EmptyNote>{empty}</EmptyNote>
      ) : (
        <DataTable caption={caption} columns={columns} rows={rows} rowKey={rowKey} />
      )}
    </Panel>
  );
}
