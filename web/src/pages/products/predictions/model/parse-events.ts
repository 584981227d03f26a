import type { ExactJson } from '../../../../base/exact-json.ts';
import { shortenName } from '../../../../base/format-text.ts';
import { getItems, getMember, getText, isFlagSet } from '../../../../base/read-json.ts';
import { getIsoTime, getSecondTime } from '../../../../base/read-times.ts';
import { getMicroDollars } from './micro-dollars.ts';

/** An event with its markets. Titles and rules are texts that whoever operates the instance has chosen. */
export interface EventView {
  readonly id: string;
  readonly title: string;
  readonly subtitle: string;
  readonly category: string;
  readonly isLive: boolean;
  readonly isActive: boolean;
  /** Unix milliseconds. */
  readonly closesAt: number | null;
  /** Billionths of a dollar. */
  readonly volume: bigint | null;
  readonly volumeOfDay: bigint | null;
  readonly score: string | null;
  readonly markets: readonly MarketView[];
}

/** A market: a question, what its sides cost now, and how it ended. */
export interface MarketView {
  readonly id: string;
  readonly eventId: string;
  readonly title: string;
  /** In words. */
  readonly state: string;
  readonly result: 'yes' | 'no' | null;
  readonly isTradable: boolean;
  /** Of one contract that pays a dollar, in billionths of a dollar; null where nothing is offered. */
  readonly buyYes: bigint | null;
  readonly buyNo: bigint | null;
  readonly sellYes: bigint | null;
  readonly sellNo: bigint | null;
  readonly volume: bigint | null;
  readonly openedAt: number | null;
  readonly closesAt: number | null;
  readonly rules: readonly string[];
  /** Of a forecast: its side and its token. */
  readonly side: string | null;
  readonly outcomeMint: string | null;
  readonly isForecast: boolean;
}

const MAX_TITLE = 160;
const MAX_RULES = 4_000;

/** Reads the answers that list events under `data`. What names no event is left out. */
export function parseEvents(answer: ExactJson): readonly EventView[] {
  return getItems(answer, 'data').flatMap((event) => parseEvent(event) ?? []);
}

/** Reads one event; null if it is none. */
export function parseEvent(event: ExactJson): EventView | null {
  const id = getText(event, 'eventId');
  if (id === null) return null;
  const metadata = getMember(event, 'metadata');
  const score = getMember(event, 'liveScore');
  return {
    id,
    title: readTitle(metadata, 'title') ?? id,
    subtitle: readTitle(metadata, 'subtitle') ?? '',
    category: readTitle(event, 'category') ?? '',
    isLive: isFlagSet(event, 'isLive'),
    isActive: isFlagSet(event, 'isActive'),
    closesAt: getIsoTime(metadata, 'closeTime'),
    volume: getMicroDollars(event, 'volumeUsd'),
    volumeOfDay: getMicroDollars(event, 'volume24hr'),
    score: describeScore(score),
    markets: getItems(event, 'markets').flatMap((market) => parseMarket(market) ?? []),
  };
}

/** Reads one market; null if it is none. */
export function parseMarket(market: ExactJson): MarketView | null {
  const id = getText(market, 'marketId');
  if (id === null) return null;
  const pricing = getMember(market, 'pricing');
  const result = getText(market, 'result');
  const lifecycle = getText(market, 'lifecycleStatus');
  const status = getText(market, 'status') ?? 'unknown';
  return {
    id,
    eventId: getText(market, 'eventId') ?? '',
    title: readTitle(market, 'title') ?? id,
    state: lifecycle === 'resolving' ? 'waits for its result' : status,
    result: result === 'yes' || result === 'no' ? result : null,
    isTradable: isFlagSet(market, 'tradable'),
    buyYes: getMicroDollars(pricing, 'buyYesPriceUsd'),
    buyNo: getMicroDollars(pricing, 'buyNoPriceUsd'),
    sellYes: getMicroDollars(pricing, 'sellYesPriceUsd'),
    sellNo: getMicroDollars(pricing, 'sellNoPriceUsd'),
    volume: getMicroDollars(pricing, 'volume'),
    openedAt: getSecondTime(market, 'openTime'),
    closesAt: getSecondTime(market, 'closeTime'),
    rules: ['rulesPrimary', 'rulesSecondary'].flatMap((name) => {
      const text = getText(market, name);
      return text === null ? [] : [text.slice(0, MAX_RULES)];
    }),
    side: readTitle(market, 'outcomeSide'),
    outcomeMint: getText(market, 'outcomeMint'),
    isForecast: isForecastMarket(market),
  };
}

/** Markets of the vault. Those of any other provider are rounds of forecasts, which are bought by swaps. */
const VAULT_PROVIDERS: readonly (string | null)[] = ['polymarket', 'kalshi', null];

/** Whether a market is a round of a forecast, which is bought by a swap and not by an order. */
export function isForecastMarket(market: ExactJson | undefined): boolean {
  return !VAULT_PROVIDERS.includes(getText(market, 'provider'));
}

/** Returns a title on one line, without what cannot be seen. */
export function readTitle(value: ExactJson | undefined, name: string): string | null {
  const text = getText(value, name);
  return text === null ? null : shortenName(text, MAX_TITLE) || null;
}

function describeScore(score: ExactJson | undefined): string | null {
  const home = readTitle(score, 'homeTeam');
  const away = readTitle(score, 'awayTeam');
  const standing = readTitle(score, 'score');
  if (standing === null) return null;
  const teams = home === null || away === null ? '' : `${home} and ${away} `;
  const period = readTitle(score, 'period');
  return `${teams}${standing}${period === null ? '' : `, ${period}`}${isFlagSet(score, 'ended') ? ', ended' : ''}`;
}
