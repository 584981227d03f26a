import { PredictionRefused } from '../../../predictions/prediction-refused.ts';
import type { EventProvider, EventSelection } from '../../../predictions/lists/prediction-lists.ts';
import { EVENT_CATEGORIES } from '../../../predictions/prediction.ts';
import { ORDER_PROVIDER } from './json/market-kind.ts';
import type { PaginationForm } from './json/amount-forms.ts';
import { choice, flag, integer, list, text } from '../../parameters/kinds.ts';
import { optional } from '../../parameters/parameter.ts';

/** Refuses a parameter in the form of the product. */
export function refuseParameter(sentence: string): never {
  const [field = null] = /^[A-Za-z]+/.exec(sentence) ?? [];
  throw new PredictionRefused('invalid', sentence, { code: 'invalid_type', field });
}

const MAX_INDEX = 1_000_000;
/** Items of a page whose end is not named. */
const DEFAULT_PAGE = 100;
/** Items of the largest page. */
const MAX_PAGE = 1_000;

const index = (description: string) => optional(integer({ minimum: 0, maximum: MAX_INDEX }, description));

/** Which part of a list a request asks for. */
export const PAGE_PARAMETERS = {
  start: index('The index of the first item. Default: 0.'),
  end: index(
    `The index after the last item, not below \`start\`. Default: ${DEFAULT_PAGE} items. An answer has at most ${MAX_PAGE}.`,
  ),
};

/** Which markets events are listed with. */
export const MARKET_PARAMETERS = {
  includeMarkets: optional(flag('Whether events have their markets.'), false),
  includeAllMarkets: optional(flag('The same as `includeMarkets`.'), false),
};

/** Whose events are listed. */
export const PROVIDER_PARAMETER = optional(
  choice(
    ['polymarket', 'kalshi', 'bisonfi'],
    '`polymarket`, which is the default: events that orders trade. `bisonfi`: forecasts. There are none of `kalshi`.',
  ),
);

/** Returns the provider whose events a request asks for; null for one that has none here. */
export function toProvider(given: string | null): EventProvider | null {
  if (given === null) return ORDER_PROVIDER;
  return given === 'polymarket' || given === 'bisonfi' ? given : null;
}

/** Which events a request asks for. */
export const SELECTION_PARAMETERS = {
  provider: PROVIDER_PARAMETER,
  category: optional(choice(['all', ...EVENT_CATEGORIES], 'Default: all.')),
  subcategory: optional(list('Events with one of these.')),
  filter: optional(
    choice(
      ['new', 'live', 'trending', 'upcoming'],
      '`new`: made within 24 hours; `live`: begun and not closed; `trending`: traded within 24 hours; `upcoming`: not begun.',
    ),
  ),
  sortBy: optional(choice(['volume', 'volume24hr', 'beginAt'], 'Default: `volume`.')),
  sortDirection: optional(choice(['asc', 'desc'], 'Default: `asc` for `beginAt`, otherwise `desc`.')),
  tags: optional(list('Events with one of these.')),
  tag: optional(text('The same as `tags`.')),
};

/** The values of the parameters that select events. */
export interface GivenSelection {
  readonly provider: EventProvider;
  readonly category: string | null;
  readonly subcategory: readonly string[] | null;
  readonly filter: EventSelection['filter'];
  readonly sortBy: EventSelection['sortBy'] | null;
  readonly sortDirection: EventSelection['direction'] | null;
  readonly tags: readonly string[] | null;
  readonly tag: string | null;
}

/** Completes a selection with the defaults. */
export function toSelection(given: GivenSelection): EventSelection {
  const sortBy = given.sortBy ?? 'volume';
  return {
    provider: given.provider,
    category: given.category === 'all' ? null : given.category,
    subcategories: given.subcategory ?? [],
    tags: [...(given.tags ?? []), ...(given.tag === null ? [] : [given.tag])],
    filter: given.filter,
    sortBy,
    direction: given.sortDirection ?? (sortBy === 'beginAt' ? 'asc' : 'desc'),
  };
}

/** Which part of a list is answered. */
export interface ListRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Completes a range with the defaults.
 * @throws PredictionRefused for an end before the start
 */
export function toRange(start: number | null, end: number | null): ListRange {
  const from = start ?? 0;
  if (end !== null && end < from)
    return refuseParameter(`end must not be below start, which is ${from}, got ${end}`);
  return { start: from, end: Math.min(end ?? from + DEFAULT_PAGE, from + MAX_PAGE) };
}

/** Describes which part of a list an answer has. */
export function toPagination({ start, end }: ListRange, total: number): PaginationForm {
  return { start, end: Math.max(start, Math.min(end, total)), total, hasNext: end < total };
}
