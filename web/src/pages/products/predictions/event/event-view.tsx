import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useRawQuery } from '../../../../api/raw-query.ts';
import { formatUtcTime } from '../../../../base/format-time.ts';
import { Disclosure } from '../../../../parts/disclosure.tsx';
import { usePageSearch } from '../../../../parts/page-search.ts';
import { Stat, StatList } from '../../../../parts/stat.tsx';
import { EmptyNote } from '../../../../parts/status.tsx';
import { AnswerPanel } from '../../frame/answer-panel.tsx';
import { formatOptionalDollars } from '../model/format-contracts.ts';
import { type EventView, type MarketView, parseEvent } from '../model/parse-events.ts';
import { ChanceChart } from './chance-chart.tsx';
import { MarketBook } from './market-book.tsx';
import { MarketTable } from './market-table.tsx';

const REFETCH_MS = 3_000;

/** One event: its markets, and the order book of the chosen one. */
export function EventDetail({ eventId }: { readonly eventId: string }) {
  const query = useRawQuery(
    `/prediction/v1/events/${encodeURIComponent(eventId)}?includeMarkets=true&includeAllMarkets=true`,
    { refetchMs: REFETCH_MS },
  );
  const event = useMemo(() => (query.data === undefined ? null : parseEvent(query.data.exact)), [query.data]);
  const [search] = usePageSearch();
  const market = event?.markets.find(({ id }) => id === search.market) ?? event?.markets[0] ?? null;
  return (
    <>
      <p>
        <Link to="/products/predictions">All events</Link>
      </p>
      <AnswerPanel title={event?.title ?? 'Event'} what="event" query={query}>
        {() =>
          event === null ? (
            <EmptyNote>The answer names no event.</EmptyNote>
          ) : (
            <EventFacts event={event} market={market} />
          )
        }
      </AnswerPanel>
      {market === null ? null : <MarketPanels key={market.id} market={market} />}
    </>
  );
}

function MarketPanels({ market }: { readonly market: MarketView }) {
  return (
    <>
      {market.isForecast ? null : <MarketBook market={market} />}
      <ChanceChart market={market} />
    </>
  );
}

function EventFacts({ event, market }: { readonly event: EventView; readonly market: MarketView | null }) {
  const { subtitle, closesAt, volume, volumeOfDay, score, markets } = event;
  return (
    <>
      {subtitle === '' ? null : <p>{subtitle}</p>}
      <StatList>
        <Stat label="Traded in all" value={formatOptionalDollars(volume)} />
        <Stat label="Traded in a day" value={formatOptionalDollars(volumeOfDay)} />
        <Stat label="Closes" value={closesAt === null ? 'unknown' : formatUtcTime(closesAt)} />
        {score === null ? null : <Stat label="Score" value={score} />}
      </StatList>
      <MarketTable eventId={event.id} markets={markets} chosen={market?.id ?? null} />
      {market === null || market.rules.length === 0 ? null : (
        <Disclosure summary={`Rules of ${market.title}`}>
          {market.rules.map((rule) => (
            <p key={rule}>{rule}</p>
          ))}
        </Disclosure>
      )}
    </>
  );
}
