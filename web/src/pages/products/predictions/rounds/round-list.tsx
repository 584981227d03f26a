import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useRawQuery } from '../../../../api/raw-query.ts';
import { formatDuration, formatUtcTime } from '../../../../base/format-time.ts';
import { AddressText } from '../../../../parts/address-text.tsx';
import { Badge } from '../../../../parts/badge.tsx';
import { DataTable } from '../../../../parts/data-table.tsx';
import { Disclosure } from '../../../../parts/disclosure.tsx';
import { EmptyNote } from '../../../../parts/status.tsx';
import { AnswerPanel } from '../../frame/answer-panel.tsx';
import { FilledBar } from '../../frame/filled-bar.tsx';
import { StackedRows } from '../../frame/stacked-rows.tsx';
import { formatChance, formatContractPrice } from '../model/format-contracts.ts';
import { type EventView, parseEvents } from '../model/parse-events.ts';
import { findOpeningPrice } from './opening-price.ts';
import { useNetworkClock } from './network-clock.ts';

const REFETCH_MS = 2_000;

/** The rounds of minutes: what has to be beaten, how long is left, and what each side costs now. */
export function RoundList() {
  const query = useRawQuery('/prediction/v1/events/crypto/timed?includeMarkets=true', {
    refetchMs: REFETCH_MS,
  });
  const clock = useNetworkClock();
  const rounds = useMemo(() => (query.data === undefined ? [] : parseEvents(query.data.exact)), [query.data]);
  return (
    <AnswerPanel title="Rounds of minutes" what="rounds" query={query}>
      {() =>
        rounds.length === 0 ? (
          <EmptyNote>
            No round is open. On the embedded network the keeper opens one after the other, at the full five
            minutes and quarters of an hour.
          </EmptyNote>
        ) : (
          <StackedRows>
            <DataTable
              caption="Rounds"
              rows={rounds}
              rowKey={({ id }) => id}
              columns={[
                { heading: 'Round', cell: (round) => <RoundTitle round={round} /> },
                { heading: 'Left', cell: (round) => <TimeLeft round={round} clock={clock} /> },
                { heading: 'Price to beat', align: 'end', cell: (round) => <OpeningPrice round={round} /> },
                { heading: 'Sides', cell: (round) => <Sides round={round} /> },
              ]}
            />
          </StackedRows>
        )
      }
    </AnswerPanel>
  );
}

function RoundTitle({ round: { id, title, subtitle, markets } }: { readonly round: EventView }) {
  const [rule] = markets[0]?.rules ?? [];
  return (
    <>
      <Link to="/products/predictions" search={{ event: id } as never} className="event-table__title">
        {title}
      </Link>
      <span className="event-table__note">{subtitle}</span>
      {rule === undefined ? null : (
        <Disclosure summary="Rules">
          {markets.slice(0, 2).map(({ id: market, rules }) => (
            <p key={market}>{rules[0]}</p>
          ))}
        </Disclosure>
      )}
    </>
  );
}

function TimeLeft({
  round: { closesAt, markets },
  clock,
}: {
  readonly round: EventView;
  readonly clock: number | null;
}) {
  const openedAt = markets[0]?.openedAt ?? null;
  if (closesAt === null) return <>unknown</>;
  if (clock === null) return <>closes {formatUtcTime(closesAt)}</>;
  if (clock >= closesAt) return <Badge tone="warning">{markets[0]?.state ?? 'closed'}</Badge>;
  const isShared = openedAt !== null && closesAt > openedAt && clock >= openedAt;
  const share = isShared
    ? BigInt(Math.floor(((clock - openedAt) * 1_000_000) / (closesAt - openedAt)))
    : null;
  return (
    <>
      <span className="round-left">{formatDuration(closesAt - clock)} left</span>
      {share === null ? null : <FilledBar millionths={share}>of the round</FilledBar>}
    </>
  );
}

function OpeningPrice({ round: { markets } }: { readonly round: EventView }) {
  return <>{findOpeningPrice(markets[0]?.rules ?? []) ?? 'in its rules'}</>;
}

function Sides({ round: { markets } }: { readonly round: EventView }) {
  return (
    <ul className="event-table__markets">
      {markets.map(({ id, title, buyYes, sellYes, outcomeMint, result }) => (
        <li key={id}>
          {title}:{' '}
          {result !== null
            ? result === 'yes'
              ? 'has won'
              : 'has lost'
            : buyYes === null
              ? 'not offered now'
              : `${formatChance(buyYes)}, buy ${formatContractPrice(buyYes)}${sellYes === null ? '' : `, sell ${formatContractPrice(sellYes)}`}`}{' '}
          {outcomeMint === null ? null : <AddressText address={outcomeMint} label="token" copy={false} />}
        </li>
      ))}
    </ul>
  );
}
