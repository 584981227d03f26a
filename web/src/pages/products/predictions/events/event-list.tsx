import { useMemo, useState } from 'react';
import { useRawQuery } from '../../../../api/raw-query.ts';
import type { ExactJson } from '../../../../base/exact-json.ts';
import { getMember, isFlagSet } from '../../../../base/read-json.ts';
import { Button } from '../../../../parts/button.tsx';
import { ChoiceBar } from '../../../../parts/choice-bar.tsx';
import { Field } from '../../../../parts/field.tsx';
import { usePageSearch } from '../../../../parts/page-search.ts';
import { EmptyNote } from '../../../../parts/status.tsx';
import { AnswerPanel } from '../../frame/answer-panel.tsx';
import { PageTurner, parsePageNumber } from '../../frame/page-turner.tsx';
import { parseEvents } from '../model/parse-events.ts';
import { EventTable } from './event-table.tsx';

const REFETCH_MS = 5_000;
const PAGE_SIZE = 20;
const MAX_QUERY = 100;

/** The events that are traded here, which can be searched. */
export function EventList() {
  const [search, change] = usePageSearch();
  const page = parsePageNumber(search.page);
  const filter = FILTERS.find(([name]) => name === search.filter)?.[0] ?? 'all';
  const category = CATEGORIES.find((name) => name === search.category) ?? 'all';
  const text = (search.q ?? '').slice(0, MAX_QUERY);
  const query = useRawQuery(formatEventsPath({ text, category, filter, page }), { refetchMs: REFETCH_MS });
  return (
    <AnswerPanel
      title="Events"
      what="events"
      query={query}
      aside={
        text === '' ? (
          <ChoiceBar
            label="Which events"
            choices={FILTERS}
            chosen={filter}
            onChoose={(next) => change({ filter: next === 'all' ? null : next, page: null })}
          />
        ) : null
      }
    >
      {({ exact }) => (
        <>
          <EventSearch
            key={text}
            text={text}
            category={category}
            onSearch={(next) => change({ q: next, page: null })}
            onCategory={(next) => change({ category: next === 'all' ? null : next, page: null })}
          />
          <ListedEvents exact={exact} page={page} onPage={(next) => change({ page: String(next) })} />
        </>
      )}
    </AnswerPanel>
  );
}

function ListedEvents({
  exact,
  page,
  onPage,
}: {
  readonly exact: ExactJson;
  readonly page: number;
  readonly onPage: (page: number) => void;
}) {
  const events = useMemo(() => parseEvents(exact), [exact]);
  const hasNext = isFlagSet(getMember(exact, 'pagination'), 'hasNext');
  return (
    <>
      {events.length === 0 ? (
        <EmptyNote>
          No event is like this. An operator creates one with <code>sluice prediction event create</code>.
        </EmptyNote>
      ) : (
        <EventTable events={events} />
      )}
      {page > 1 || hasNext ? (
        <PageTurner what="events" page={page} hasNext={hasNext} onPage={onPage} />
      ) : null}
    </>
  );
}

function EventSearch({
  text,
  category,
  onSearch,
  onCategory,
}: {
  readonly text: string;
  readonly category: string;
  readonly onSearch: (text: string) => void;
  readonly onCategory: (category: string) => void;
}) {
  const [typed, setTyped] = useState(text);
  return (
    <form
      className="event-search"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(typed.trim());
      }}
    >
      <Field label="Search">
        {(control) => (
          <input
            {...control}
            type="search"
            value={typed}
            maxLength={MAX_QUERY}
            placeholder="A word of a title"
            onChange={({ target }) => setTyped(target.value)}
          />
        )}
      </Field>
      <Button type="submit">Search</Button>
      {text === '' ? (
        <Field label="Category">
          {(control) => (
            <select {...control} value={category} onChange={({ target }) => onCategory(target.value)}>
              {CATEGORIES.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          )}
        </Field>
      ) : (
        <Button kind="quiet" onClick={() => onSearch('')}>
          Show all
        </Button>
      )}
    </form>
  );
}

/** Returns the path of a page of events; a search has no categories. */
function formatEventsPath({
  text,
  category,
  filter,
  page,
}: {
  readonly text: string;
  readonly category: string;
  readonly filter: string;
  readonly page: number;
}): string {
  const query = new URLSearchParams({ includeMarkets: 'true' });
  query.set('start', String((page - 1) * PAGE_SIZE));
  query.set('end', String(page * PAGE_SIZE));
  if (text !== '') {
    query.set('query', text);
    query.set('limit', String(PAGE_SIZE));
    return `/prediction/v1/events/search?${query}`;
  }
  if (category !== 'all') query.set('category', category);
  if (filter !== 'all') query.set('filter', filter);
  return `/prediction/v1/events?${query}`;
}

const FILTERS = [
  ['all', 'All'],
  ['live', 'Live'],
  ['new', 'New'],
  ['trending', 'Trending'],
  ['upcoming', 'Upcoming'],
] as const;
const CATEGORIES = [
  'all',
  'crypto',
  'sports',
  'politics',
  'esports',
  'culture',
  'economics',
  'tech',
] as const;
