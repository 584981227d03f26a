import { formatUnits, parseUnits } from '../../../base/format-amount.ts';
import { isAddress } from '../../../base/is-address.ts';
import { SOL_MINT, USDC_MINT } from '../../../base/mints.ts';

/** The endpoints that quote, by the words that stand in the address of the page. */
export const QUOTE_SOURCES = {
  order: { path: '/swap/v2/order', operationId: 'GetOrder', label: 'All engines' },
  pools: { path: '/swap/v2/quote', operationId: 'GetQuote', label: 'Pools only' },
  'pools-v1': { path: '/swap/v1/quote', operationId: 'QuoteGet', label: 'Pools only, all options' },
} as const;

export type QuoteSource = keyof typeof QUOTE_SOURCES;

/** What the form asks for. Texts are as they were typed, so that the form can show what is wrong with them. */
export interface RouteRequest {
  readonly source: QuoteSource;
  readonly inputMint: string;
  readonly outputMint: string;
  /** In units of the token whose amount is fixed. */
  readonly amount: string;
  readonly swapMode: 'ExactIn' | 'ExactOut';
  /** Basis points; empty: the endpoint's default. */
  readonly slippage: string;
  /** Empty: a price without a transaction. */
  readonly taker: string;
  readonly venueRule: 'all' | 'only' | 'except';
  readonly venues: readonly string[];
  /** Whether the amount may be split over several pools. */
  readonly splits: boolean;
  /** Whether the route is a single pool. */
  readonly direct: boolean;
  /** Whether the route may lead through any token. */
  readonly anyIntermediate: boolean;
  /** Most accounts of the pools; empty: the endpoint's default. */
  readonly maxAccounts: string;
}

const U64_MAX = 2n ** 64n - 1n;
const MAX_VENUES = 40;

/**
 * Reads the request that stands in the address of the page. What is absent is that of the first visit. The names of the
 * endpoint's parameters are understood too, so that the query of a request can stand there.
 *
 * @param decimals - Of the token whose amount is fixed, for an amount in smallest units; null: not known yet.
 */
export function parseRouteRequest(
  search: Readonly<Record<string, unknown>>,
  decimals: number | null = null,
): RouteRequest {
  const find = (name: string): string | null => {
    const value = Object.hasOwn(search, name) ? search[name] : undefined;
    return typeof value === 'string' ? value.trim() : null;
  };
  const read = (name: string, other = name): string => find(name) ?? find(other) ?? '';
  const source = read('source');
  const [only, except] = [splitList(read('dexes')), splitList(read('excludeDexes'))];
  return {
    source: Object.hasOwn(QUOTE_SOURCES, source) ? (source as QuoteSource) : 'order',
    inputMint: find('from') ?? find('inputMint') ?? SOL_MINT,
    outputMint: find('to') ?? find('outputMint') ?? USDC_MINT,
    amount: hasRawAmount(search) ? formatRawAmount(read('amount'), decimals) : (find('amount') ?? '1'),
    swapMode: read('mode', 'swapMode') === 'ExactOut' ? 'ExactOut' : 'ExactIn',
    slippage: read('slippage', 'slippageBps'),
    taker: read('taker'),
    venueRule: only.length > 0 ? 'only' : except.length > 0 ? 'except' : 'all',
    venues: only.length > 0 ? only : except,
    splits: read('splits') !== 'false',
    direct: read('direct') === 'true',
    anyIntermediate: read('intermediate') === 'any',
    maxAccounts: read('maxAccounts'),
  };
}

/** Writes a request as the query of the page's address. What is as at the first visit is left out. */
export function formatRouteSearch(request: RouteRequest): Record<string, string | undefined> {
  const { venueRule, venues } = request;
  const list = venues.length === 0 ? undefined : venues.join(',');
  return {
    from: request.inputMint,
    to: request.outputMint,
    amount: request.amount,
    mode: request.swapMode === 'ExactIn' ? undefined : request.swapMode,
    slippage: request.slippage === '' ? undefined : request.slippage,
    taker: request.taker === '' ? undefined : request.taker,
    dexes: venueRule === 'only' ? list : undefined,
    excludeDexes: venueRule === 'except' ? list : undefined,
    source: request.source === 'order' ? undefined : request.source,
    splits: request.splits ? undefined : 'false',
    direct: request.direct ? 'true' : undefined,
    intermediate: request.anyIntermediate ? 'any' : undefined,
    maxAccounts: request.maxAccounts === '' ? undefined : request.maxAccounts,
  };
}

/** The fields of the form that can be wrong. */
export type RequestField = 'inputMint' | 'outputMint' | 'amount' | 'slippage' | 'taker' | 'maxAccounts';

/**
 * Finds what is wrong with a request before it is sent, with a sentence for each field.
 *
 * @param decimals - Of the token whose amount is fixed; null: amounts are in smallest units.
 */
export function findRequestProblems(
  request: RouteRequest,
  decimals: number | null,
): ReadonlyMap<RequestField, string> {
  const problems = new Map<RequestField, string>();
  if (!isAddress(request.inputMint))
    problems.set('inputMint', 'Choose a token, or paste the address of a mint.');
  if (!isAddress(request.outputMint)) {
    problems.set('outputMint', 'Choose a token, or paste the address of a mint.');
  } else if (request.outputMint === request.inputMint) {
    problems.set('outputMint', 'Choose another token than the one that is paid.');
  }
  const amount = describeAmountProblem(request.amount, decimals);
  if (amount !== null) problems.set('amount', amount);
  if (request.slippage !== '' && !isWholeNumber(request.slippage, 0, 10_000)) {
    problems.set('slippage', 'A whole number of basis points from 0 to 10000.');
  }
  if (usesTaker(request) && request.taker !== '' && !isAddress(request.taker)) {
    problems.set('taker', 'The address of a wallet has 32 bytes in base58.');
  }
  if (
    request.source === 'pools-v1' &&
    request.maxAccounts !== '' &&
    !isWholeNumber(request.maxAccounts, 1, 999)
  ) {
    problems.set('maxAccounts', 'A whole number from 1 to 999.');
  }
  return problems;
}

/** Whether the endpoint of the request knows a taker. */
export function usesTaker({ source }: RouteRequest): boolean {
  return source === 'order';
}

/**
 * Returns the parameters of the request's endpoint, in their order.
 *
 * @param decimals - Of the token whose amount is fixed; null: the amount is in smallest units.
 */
export function toQuoteParameters(
  request: RouteRequest,
  decimals: number | null,
): readonly (readonly [name: string, value: string])[] {
  const { source, venueRule, venues } = request;
  const raw = parseUnits(request.amount, decimals ?? 0) ?? 0n;
  const list = venues.slice(0, MAX_VENUES).join(',');
  const given: readonly (readonly [string, string | null])[] = [
    ['inputMint', request.inputMint],
    ['outputMint', request.outputMint],
    ['amount', raw.toString()],
    ['swapMode', source !== 'pools' && request.swapMode === 'ExactOut' ? 'ExactOut' : null],
    ['slippageBps', request.slippage === '' ? null : request.slippage],
    ['taker', usesTaker(request) && request.taker !== '' ? request.taker : null],
    ['dexes', venueRule === 'only' && list !== '' ? list : null],
    ['excludeDexes', venueRule === 'except' && list !== '' ? list : null],
    ['dynamicSwap', source === 'pools' && !request.splits ? 'false' : null],
    ['onlyDirectRoutes', source === 'pools-v1' && request.direct ? 'true' : null],
    ['restrictIntermediateTokens', source === 'pools-v1' && request.anyIntermediate ? 'false' : null],
    ['maxAccounts', source === 'pools-v1' && request.maxAccounts !== '' ? request.maxAccounts : null],
  ];
  return given.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
}

/** Writes the path of a request with its query. */
export function formatQuotePath(
  source: QuoteSource,
  parameters: readonly (readonly [name: string, value: string])[],
): string {
  const query = new URLSearchParams(parameters.map(([name, value]) => [name, value]));
  return `${QUOTE_SOURCES[source].path}?${query}`;
}

/** Returns the request for the way back, with the same number in the amount. */
export function reverseRequest(request: RouteRequest): RouteRequest {
  return { ...request, inputMint: request.outputMint, outputMint: request.inputMint };
}

/** Whether the amount of the output is fixed. The endpoint with pools only and fewest options has exact inputs alone. */
export function isExactOut({ source, swapMode }: RouteRequest): boolean {
  return source !== 'pools' && swapMode === 'ExactOut';
}

/** Returns the token whose amount is fixed. */
export function getFixedMint(request: RouteRequest): string {
  return isExactOut(request) ? request.outputMint : request.inputMint;
}

/** Whether the amount of an address is in smallest units, as it is for the endpoint whose names it uses. */
function hasRawAmount(search: Readonly<Record<string, unknown>>): boolean {
  const isApi = Object.hasOwn(search, 'inputMint') || Object.hasOwn(search, 'outputMint');
  return (
    isApi &&
    typeof search.amount === 'string' &&
    !Object.hasOwn(search, 'from') &&
    !Object.hasOwn(search, 'to')
  );
}

function formatRawAmount(raw: string, decimals: number | null): string {
  if (decimals === null || !/^\d{1,20}$/.test(raw)) return raw;
  return formatUnits(BigInt(raw), decimals).replaceAll('\u202f', '');
}

function describeAmountProblem(text: string, decimals: number | null): string | null {
  const raw = parseUnits(text, decimals ?? 0);
  if (raw === null) {
    if (/^[\d\s_]*\.?\d*$/.test(text) && /\d/.test(text)) {
      return decimals === null
        ? 'Whole smallest units: the decimals of this token are not known.'
        : `At most ${decimals} digits behind the point: this token has no smaller unit.`;
    }
    return 'A positive number such as 0.1, with a point and without an exponent.';
  }
  if (raw === 0n) return 'More than nothing has to be swapped.';
  return raw > U64_MAX ? 'More than a token account can hold.' : null;
}

function isWholeNumber(text: string, minimum: number, maximum: number): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum;
}

function splitList(text: string): readonly string[] {
  const items = text.split(',').map((item) => item.trim());
  return [...new Set(items.filter((item) => item !== ''))];
}
