import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useRawQuery } from '../../../../api/raw-query.ts';
import { formatWhole } from '../../../../base/format-amount.ts';
import { formatShare } from '../../../../base/format-dollars.ts';
import { AddressText } from '../../../../parts/address-text.tsx';
import { ChoiceBar } from '../../../../parts/choice-bar.tsx';
import { DataTable } from '../../../../parts/data-table.tsx';
import { usePageSearch } from '../../../../parts/page-search.ts';
import { EmptyNote } from '../../../../parts/status.tsx';
import { AnswerPanel } from '../../frame/answer-panel.tsx';
import { StackedRows } from '../../frame/stacked-rows.tsx';
import { formatOptionalDollars } from '../model/format-contracts.ts';
import { parseLeaders } from '../model/parse-everybody.ts';

const REFETCH_MS = 5_000;
const SHOWN = '100';

/** The wallets that lead by profit, by what they have traded, or by how often they were right. */
export function Leaderboard() {
  const [search, change] = usePageSearch();
  const period = PERIODS.find(([name]) => name === search.period)?.[0] ?? 'all_time';
  const metric = METRICS.find(([name]) => name === search.metric)?.[0] ?? 'pnl';
  const query = useRawQuery(
    `/prediction/v1/leaderboards?${new URLSearchParams({ period, metric, limit: SHOWN })}`,
    { refetchMs: REFETCH_MS },
  );
  const leaders = useMemo(
    () => (query.data === undefined ? [] : parseLeaders(query.data.exact)),
    [query.data],
  );
  return (
    <AnswerPanel title="Leaderboard" what="leaderboard" query={query}>
      {() => (
        <>
          <ChoiceBar
            label="Over which time"
            choices={PERIODS}
            chosen={period}
            onChoose={(next) => change({ period: next === 'all_time' ? null : next })}
          />
          <ChoiceBar
            label="By what"
            choices={METRICS}
            chosen={metric}
            onChoose={(next) => change({ metric: next === 'pnl' ? null : next })}
          />
          {leaders.length === 0 ? (
            <EmptyNote>
              {metric === 'win_rate'
                ? 'No wallet has ten decided predictions in this time yet.'
                : 'Nobody has traded in this time yet.'}
            </EmptyNote>
          ) : (
            <LeaderTable leaders={leaders} />
          )}
        </>
      )}
    </AnswerPanel>
  );
}

function LeaderTable({ leaders }: { readonly leaders: ReturnType<typeof parseLeaders> }) {
  const ranked = leaders.map((leader, index) => ({ ...leader, rank: index + 1 }));
  return (
    <StackedRows>
      <DataTable
        caption="Leaderboard"
        rows={ranked}
        rowKey={({ owner }) => owner}
        columns={[
          { heading: 'Rank', align: 'end', cell: ({ rank }) => rank },
          {
            heading: 'Wallet',
            cell: ({ owner }) => (
              <>
                <AddressText address={owner} />{' '}
                <Link to="/products/predictions" search={{ view: 'wallet', address: owner } as never}>
                  Its predictions
                </Link>
              </>
            ),
          },
          { heading: 'Profit', align: 'end', cell: ({ profit }) => formatOptionalDollars(profit) },
          { heading: 'Traded', align: 'end', cell: ({ volume }) => formatOptionalDollars(volume) },
          {
            heading: 'Right',
            align: 'end',
            cell: ({ correct, decided, winShare }) =>
              `${correct === null ? 'unknown' : formatWhole(correct)} of ${decided === null ? 'unknown' : formatWhole(decided)}${winShare === null || decided === 0 ? '' : `, ${formatShare(winShare)}`}`,
          },
        ]}
      />
    </StackedRows>
  );
}

const PERIODS = [
  ['all_time', 'All time'],
  ['monthly', 'This month'],
  ['weekly', 'This week'],
] as const;
const METRICS = [
  ['pnl', 'Profit'],
  ['volume', 'Traded'],
  ['win_rate', 'Share of right ones'],
] as const;
