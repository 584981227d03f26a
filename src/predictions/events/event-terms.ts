import { CONTRACT_STEP, type HouseTerms, MICRO_PER_CONTRACT } from '../../exchange/exchange.ts';
import { EVENT_CATEGORIES } from '../prediction.ts';

/** A market as somebody asks for it. Times are Unix seconds. */
export interface NewPredictionMarket {
  /** Drawn by default. */
  readonly marketId?: string | undefined;
  readonly title: string;
  readonly rulesPrimary?: string | undefined;
  readonly rulesSecondary?: string | undefined;
  /** The time of the creation by default. */
  readonly openAt?: number | undefined;
  /** The time at which the event closes by default. */
  readonly closeAt?: number | undefined;
  /** `DEFAULT_FEE_BPS` by default. */
  readonly feeBps?: number | undefined;
  /** `DEFAULT_HOUSE` by default. */
  readonly house?: HouseTerms | undefined;
}

/** An event as somebody asks for it. Times are Unix seconds. */
export interface NewPredictionEvent {
  /** Drawn by default. */
  readonly eventId?: string | undefined;
  readonly title: string;
  readonly subtitle?: string | undefined;
  /** Made of the title by default. */
  readonly slug?: string | undefined;
  readonly series?: string | undefined;
  readonly category: string;
  readonly subcategory?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly imageUrl?: string | null | undefined;
  readonly beginAt?: number | null | undefined;
  readonly closeAt: number;
  readonly closeCondition?: string | undefined;
  readonly markets: readonly NewPredictionMarket[];
}

/** The fee of a market whose creator names none. */
export const DEFAULT_FEE_BPS = 700;

/** What the house offers on a market whose creator says nothing about it: 100 contracts at each cent, from 0.50. */
export const DEFAULT_HOUSE: HouseTerms = { startCents: 50, levelContracts: 100n * MICRO_PER_CONTRACT };

const MAX_TITLE = 200;
const MAX_ID = 64;
const MAX_WORD = 50;
const MAX_RULES = 10_000;
const MAX_URL = 2_048;
const MAX_TAGS = 20;
const MAX_MARKETS = 50;
const MAX_FEE_BPS = 2_500;
const MAX_LEVEL_CONTRACTS = 1_000_000n * MICRO_PER_CONTRACT;
/** The last second of the year 9999, up to which times have four digits for the year. */
const MAX_SECOND = 253_402_300_799;

const ID = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
/** The ids of markets of another kind, whose two sides are markets of their own. */
const RESERVED_ID = /^BISON-/i;
const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/**
 * Returns why an event cannot be created as it is asked for, in a sentence that names the field; null if it can.
 *
 * @param now - The Unix second of the network.
 */
export function findEventFault(event: NewPredictionEvent, now: number): string | null {
  const { markets, beginAt, closeAt, imageUrl, tags = [] } = event;
  return (
    findIdFault('eventId', event.eventId) ??
    findTextFault('title', event.title, { min: 1, max: MAX_TITLE }) ??
    findTextFault('subtitle', event.subtitle ?? '', { min: 0, max: MAX_TITLE }) ??
    findSlugFault(event.slug) ??
    findTextFault('series', event.series ?? '', { min: 0, max: MAX_TITLE }) ??
    findCategoryFault(event.category) ??
    findTextFault('subcategory', event.subcategory ?? '', { min: 0, max: MAX_WORD }) ??
    (tags.length > MAX_TAGS ? `tags may be at most ${MAX_TAGS}` : null) ??
    findFirst(tags, (tag, index) => findTextFault(`tags[${index}]`, tag, { min: 1, max: MAX_WORD })) ??
    findUrlFault(imageUrl ?? null) ??
    (beginAt === null || beginAt === undefined ? null : findSecondFault('beginAt', beginAt)) ??
    findSecondFault('closeAt', closeAt) ??
    (closeAt <= now ? 'closeAt must be in the future, by the clock of the network' : null) ??
    findTextFault('closeCondition', event.closeCondition ?? '', { min: 0, max: MAX_RULES }) ??
    (markets.length === 0 || markets.length > MAX_MARKETS ? `markets must be 1 to ${MAX_MARKETS}` : null) ??
    findFirst(markets, (market, index) => findMarketFault(market, `markets[${index}]`, { event, now })) ??
    findRepeatedId(markets)
  );
}

function findMarketFault(
  market: NewPredictionMarket,
  name: string,
  { event, now }: { readonly event: NewPredictionEvent; readonly now: number },
): string | null {
  const { openAt = now, closeAt = event.closeAt, feeBps = DEFAULT_FEE_BPS, house = DEFAULT_HOUSE } = market;
  return (
    findIdFault(`${name}.marketId`, market.marketId) ??
    findTextFault(`${name}.title`, market.title, { min: 1, max: MAX_TITLE }) ??
    findTextFault(`${name}.rulesPrimary`, market.rulesPrimary ?? '', { min: 0, max: MAX_RULES }) ??
    findTextFault(`${name}.rulesSecondary`, market.rulesSecondary ?? '', { min: 0, max: MAX_RULES }) ??
    findSecondFault(`${name}.openAt`, openAt) ??
    findSecondFault(`${name}.closeAt`, closeAt) ??
    (closeAt <= now || closeAt <= openAt
      ? `${name}.closeAt must be in the future and after openAt, by the clock of the network`
      : null) ??
    (closeAt > event.closeAt ? `${name}.closeAt must not be after the event's closeAt` : null) ??
    (isBetween(feeBps, 0, MAX_FEE_BPS)
      ? null
      : `${name}.feeBps must be a whole number from 0 to ${MAX_FEE_BPS}`) ??
    findHouseFault(`${name}.house`, house)
  );
}

function findHouseFault(name: string, { startCents, levelContracts }: HouseTerms): string | null {
  if (!isBetween(startCents, 1, 99)) return `${name}.startCents must be a whole number from 1 to 99`;
  if (
    levelContracts >= 0n &&
    levelContracts <= MAX_LEVEL_CONTRACTS &&
    levelContracts % CONTRACT_STEP === 0n
  ) {
    return null;
  }
  const most = MAX_LEVEL_CONTRACTS / MICRO_PER_CONTRACT;
  return `${name}.levelContracts must be 0 to ${most} contracts, in steps of 0.01`;
}

function findRepeatedId(markets: readonly NewPredictionMarket[]): string | null {
  const ids = markets.flatMap(({ marketId }) => (marketId === undefined ? [] : [marketId]));
  const index = ids.findIndex((id, at) => ids.indexOf(id) !== at);
  return index < 0 ? null : `two markets have the marketId ${ids[index]}`;
}

function findIdFault(name: string, id: string | undefined): string | null {
  if (id === undefined) return null;
  if (id.length > MAX_ID || !ID.test(id)) {
    return `${name} must be 1 to ${MAX_ID} letters, digits, points, hyphens and underscores, and begin with a letter or digit`;
  }
  return RESERVED_ID.test(id) ? `${name} must not begin with BISON-` : null;
}

function findTextFault(
  name: string,
  text: string,
  { min, max }: { readonly min: number; readonly max: number },
): string | null {
  if (text.trim().length < min || text.length > max) {
    return min === 0
      ? `${name} may have at most ${max} characters`
      : `${name} must have 1 to ${max} characters`;
  }
  // Control characters other than line breaks would garble terminals and pages. A lone half of a pair is no text.
  return /[^\P{Cc}\n\r\t]|\p{Cs}/u.test(text) ? `${name} must not contain control characters` : null;
}

function findSlugFault(slug: string | undefined): string | null {
  if (slug === undefined || (slug.length <= MAX_TITLE && SLUG.test(slug))) return null;
  return `slug must be 1 to ${MAX_TITLE} lower-case letters and digits, with single hyphens between them`;
}

function findCategoryFault(category: string): string | null {
  if (EVENT_CATEGORIES.some((known) => known === category)) return null;
  return `category must be one of ${EVENT_CATEGORIES.join(', ')}`;
}

function findUrlFault(url: string | null): string | null {
  if (url === null) return null;
  const isUsable =
    url.length <= MAX_URL && URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol);
  return isUsable ? null : `imageUrl must be a URL of http or https with at most ${MAX_URL} characters`;
}

function findSecondFault(name: string, second: number): string | null {
  return isBetween(second, 0, MAX_SECOND) ? null : `${name} must be a time in whole Unix seconds`;
}

function isBetween(value: number, min: number, max: number): boolean {
  return Number.isInteger(value) && value >= min && value <= max;
}

function findFirst<Item>(
  items: readonly Item[],
  find: (item: Item, index: number) => string | null,
): string | null {
  for (const [index, item] of items.entries()) {
    const fault = find(item, index);
    if (fault !== null) return fault;
  }
  return null;
}
