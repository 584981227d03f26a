import { useMemo, useState } from 'react';
import { useRawQuery } from '../../../../api/raw-query.ts';
import type { ExactJson } from '../../../../base/exact-json.ts';
import { formatWhole } from '../../../../base/format-amount.ts';
import { formatDollars } from '../../../../base/format-dollars.ts';
import { LineChart } from '../../../../parts/charts/line-chart.tsx';
import { ChoiceBar } from '../../../../parts/choice-bar.tsx';
import { Stat, StatList } from '../../../../parts/stat.tsx';
import { AnswerPanel } from '../../frame/answer-panel.tsx';
import { formatOptionalDollars } from '../model/format-contracts.ts';
import { parseProfile, parseProfitHistory } from '../model/parse-everybody.ts';

const REFETCH_MS = 5_000;
const POINTS = '48';

/** What a wallet has traded and won in all, and how its profit went. */
export function ProfilePanel({ address }: { readonly address: string }) {
  const query = useRawQuery(`/prediction/v1/profiles/${address}`, { refetchMs: REFETCH_MS });
  return (
    <>
      <AnswerPanel title="Profile" what="profile" query={query}>
        {({ exact }) => <ProfileFacts exact={exact} />}
      </AnswerPanel>
      <ProfitPanel address={address} />
    </>
  );
}

function ProfileFacts({ exact }: { readonly exact: ExactJson }) {
  const { profit, volume, value, decided, correct, wrong } = useMemo(() => parseProfile(exact), [exact]);
  return (
    <StatList>
      <Stat
        label="Realized profit"
        value={formatOptionalDollars(profit)}
        note="After fees."
        tone={profit === null || profit === 0n ? 'plain' : profit > 0n ? 'good' : 'danger'}
      />
      <Stat label="Traded in all" value={formatOptionalDollars(volume)} />
      <Stat label="Positions are worth" value={formatOptionalDollars(value)} />
      <Stat
        label="Decided predictions"
        value={decided === null ? 'unknown' : formatWhole(decided)}
        note={`${correct === null ? 'unknown' : formatWhole(correct)} correct, ${wrong === null ? 'unknown' : formatWhole(wrong)} wrong`}
      />
    </StatList>
  );
}

function ProfitPanel({ address }: { readonly address: string }) {
  const [interval, setInterval] = useState<Interval>('1w');
  const query = useRawQuery(
    `/prediction/v1/profiles/${address}/pnl-history?${new URLSearchParams({ interval, count: POINTS })}`,
    { refetchMs: REFETCH_MS },
  );
  const points = useMemo(
    () =>
      (query.data === undefined ? [] : parseProfitHistory(query.data.exact)).map(({ at, amount }) => ({
        x: at,
        y: Number(amount) / 1e9,
        text: formatDollars(amount),
      })),
    [query.data],
  );
  return (
    <AnswerPanel
      title="Realized profit over time"
      what="profit over time"
      query={query}
      aside={
        <ChoiceBar label="Over which time" choices={INTERVALS} chosen={interval} onChoose={setInterval} />
      }
    >
      {() => (
        <LineChart
          label="Realized profit over time"
          series={[{ name: 'profit', points }]}
          step
          fromZero
          yTitle="Dollars"
          formatY={(value) => `$${value.toFixed(2)}`}
          empty="Nothing has been realized yet."
        />
      )}
    </AnswerPanel>
  );
}

const INTERVALS = [
  ['24h', 'Day'],
  ['1w', 'Week'],
  ['1m', 'Month'],
] as const;
type Interval = (typeof INTERVALS)[number][0];
