import type {
  PredictionAccounts,
  PredictionEvent,
  PredictionEvents,
  PredictionMarket,
} from '../prediction.ts';
import { isOpenForTrading } from './market-state.ts';
import type {
  EventProvider,
  EventSelection,
  PredictionEventLists,
  TradedVolume,
} from './prediction-lists.ts';

export interface EventListsOptions {
  readonly events: Pick<
    PredictionEvents,
    'listEvents' | 'findEvent' | 'findMarket' | 'findMarketByHash' | 'onChange'
  >;
  readonly accounts: Pick<PredictionAccounts, 'positionsOf'>;
  /** Returns what was traded on a market, by its hash. */
  readonly volumeOf: (marketIdHash: string) => TradedVolume;
  /** Returns the Unix second of the network. */
  readonly now: () => bigint;
}

const NO_VOLUME: TradedVolume = { total: 0n, day: 0n };
/** How long after its creation an event is new. */
const NEW_SECONDS = 86_400;

/** What a list needs of an event, computed when the event or a volume has changed. */
interface ListedEvent {
  readonly event: PredictionEvent;
  readonly provider: EventProvider;
  /** The texts that are searched, in lower case. */
  readonly text: string;
  readonly title: string;
  readonly volume: TradedVolume;
}

/** Lists of events. What they need of each event is computed once for each change. */
export class EventLists implements PredictionEventLists {
  readonly #options: EventListsOptions;
  readonly #listed = new Map<string, ListedEvent>();
  /** The events of each order, ascending; made when somebody asks for it. */
  readonly #sorted = new Map<EventSelection['sortBy'], readonly ListedEvent[]>();
  readonly #stop: () => void;

  constructor(options: EventListsOptions) {
    this.#options = options;
    for (const { eventId } of options.events.listEvents()) this.#put(eventId);
    this.#stop = options.events.onChange((eventId) => this.#put(eventId));
  }

  /** Takes note that what was traded on markets has changed: on any of them, if it is null. */
  noteVolumes(marketIdHashes: readonly string[] | null): void {
    const { listEvents, findMarketByHash } = this.#options.events;
    const changed =
      marketIdHashes === null
        ? listEvents().map(({ eventId }) => eventId)
        : marketIdHashes.flatMap((hash) => findMarketByHash(hash)?.eventId ?? []);
    for (const eventId of new Set(changed)) this.#put(eventId);
  }

  readonly selectEvents = (selection: EventSelection): readonly PredictionEvent[] => {
    const now = Number(this.#options.now());
    const sorted = this.#sort(selection.sortBy);
    const selected: PredictionEvent[] = [];
    for (const listed of sorted) {
      if (isSelected(listed, selection, now)) selected.push(listed.event);
    }
    return selection.direction === 'asc' ? selected : selected.reverse();
  };

  readonly searchEvents: PredictionEventLists['searchEvents'] = (text, { limit, provider }) => {
    const words = toSearchText(text)
      .split(' ')
      .filter((word) => word !== '');
    if (words.length === 0) return [];
    const now = Number(this.#options.now());
    const found = [...this.#listed.values()].filter(
      (listed) => listed.provider === provider && words.every((word) => listed.text.includes(word)),
    );
    const rank = (listed: ListedEvent) => rankMatch(listed, words, now);
    return found
      .map((listed) => ({ listed, rank: rank(listed) }))
      .sort((one, other) => other.rank - one.rank || compareVolumes(other.listed, one.listed))
      .slice(0, limit)
      .map(({ listed }) => listed.event);
  };

  readonly suggestEvents: PredictionEventLists['suggestEvents'] = (wallet, { limit, provider }) => {
    const { accounts, events, now } = this.#options;
    const second = Number(now());
    const traded = new Set<PredictionEvent>();
    for (const { marketIdHash } of accounts.positionsOf(wallet)) {
      const market = events.findMarketByHash(marketIdHash);
      const event = market === null ? null : events.findEvent(market.eventId);
      if (event !== null) traded.add(event);
    }
    const categories = new Set([...traded].map(({ category }) => category));
    const open = this.#sort('volume24hr')
      .toReversed()
      .filter((listed) => listed.provider === provider)
      .map(({ event }) => event)
      .filter((event) => isActiveEvent(event, second) && !traded.has(event));
    // Those of categories in which the wallet has traded come first, and each group by what others trade.
    const isKnown = ({ category }: PredictionEvent) => categories.has(category);
    return [...open.filter(isKnown), ...open.filter((event) => !isKnown(event))].slice(0, limit);
  };

  readonly volumeOfEvent = (eventId: string): TradedVolume => this.#listed.get(eventId)?.volume ?? NO_VOLUME;

  readonly volumeOfMarket = (marketId: string): TradedVolume => {
    const market = this.#options.events.findMarket(marketId);
    return market === null ? NO_VOLUME : this.#options.volumeOf(market.marketIdHash);
  };

  close(): void {
    this.#stop();
  }

  #put(eventId: string): void {
    const event = this.#options.events.findEvent(eventId);
    if (event === null) {
      this.#listed.delete(eventId);
      this.#sorted.clear();
      return;
    }
    const { title, subtitle, series, category, subcategory, tags, markets } = event;
    const texts = [
      title,
      subtitle,
      series,
      category,
      subcategory,
      ...tags,
      ...markets.map((each) => each.title),
    ];
    this.#listed.set(eventId, {
      event,
      provider: getEventProvider(event),
      text: toSearchText(texts.join('\n')),
      title: toSearchText(title),
      volume: this.#sumVolumes(markets),
    });
    this.#sorted.clear();
  }

  #sumVolumes(markets: readonly PredictionMarket[]): TradedVolume {
    let total = 0n;
    let day = 0n;
    for (const { marketIdHash } of markets) {
      const volume = this.#options.volumeOf(marketIdHash);
      total += volume.total;
      day += volume.day;
    }
    return { total, day };
  }

  #sort(sortBy: EventSelection['sortBy']): readonly ListedEvent[] {
    const known = this.#sorted.get(sortBy);
    if (known !== undefined) return known;
    const sorted = [...this.#listed.values()].sort(COMPARISONS[sortBy]);
    this.#sorted.set(sortBy, sorted);
    return sorted;
  }
}

/** Returns where the markets of an event come from. */
export function getEventProvider({ markets }: Pick<PredictionEvent, 'markets'>): EventProvider {
  return markets.some(({ forecast }) => forecast !== null) ? 'bisonfi' : 'polymarket';
}

/** Returns whether a market of an event is open for trading. */
function isActiveEvent({ markets }: PredictionEvent, now: number): boolean {
  return markets.some((market) => isOpenForTrading(market, now));
}

/** Returns whether the subject of an event has begun, and the event is still traded. */
function isLiveEvent(event: PredictionEvent, now: number): boolean {
  return event.beginAt !== null && event.beginAt <= now && isActiveEvent(event, now);
}

function isSelected(
  { event, provider: from, volume }: ListedEvent,
  { provider, category, subcategories, tags, filter }: EventSelection,
  now: number,
): boolean {
  return (
    from === provider &&
    (category === null || event.category === category) &&
    (subcategories.length === 0 || subcategories.includes(event.subcategory)) &&
    (tags.length === 0 || event.tags.some((tag) => tags.includes(tag))) &&
    isActiveEvent(event, now) &&
    matchesFilter(event, volume, { filter, now })
  );
}

function matchesFilter(
  event: PredictionEvent,
  { day }: TradedVolume,
  { filter, now }: { readonly filter: EventSelection['filter']; readonly now: number },
): boolean {
  switch (filter) {
    case null:
      return true;
    case 'new':
      return now - event.createdAt < NEW_SECONDS;
    case 'live':
      return isLiveEvent(event, now);
    case 'trending':
      return day > 0n;
    case 'upcoming':
      return event.beginAt !== null && event.beginAt > now;
  }
}

type CompareEvents = (one: ListedEvent, other: ListedEvent) => number;

const compareIds: CompareEvents = (one, other) => (one.event.eventId < other.event.eventId ? -1 : 1);

const COMPARISONS: Readonly<Record<EventSelection['sortBy'], CompareEvents>> = {
  volume: (one, other) => compareAmounts(one.volume.total, other.volume.total) || compareIds(one, other),
  volume24hr: (one, other) => compareAmounts(one.volume.day, other.volume.day) || compareVolumes(one, other),
  // Those that have no such time come last.
  beginAt: (one, other) =>
    (one.event.beginAt ?? Number.MAX_SAFE_INTEGER) - (other.event.beginAt ?? Number.MAX_SAFE_INTEGER) ||
    compareIds(one, other),
};

function compareVolumes(one: ListedEvent, other: ListedEvent): number {
  return COMPARISONS.volume(one, other);
}

function compareAmounts(one: bigint, other: bigint): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Ranks those that are traded first, and those whose title has the words, best at its beginning. */
function rankMatch({ event, title }: ListedEvent, words: readonly string[], now: number): number {
  const inTitle = words.every((word) => title.includes(word));
  const begins = title.startsWith(words[0] ?? '');
  return (isActiveEvent(event, now) ? 4 : 0) + (inTitle ? 2 : 0) + (begins ? 1 : 0);
}

function toSearchText(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
