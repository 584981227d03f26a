import { readLandings } from '../../../api/landing-report.ts';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ApiError } from '../../../api/call.ts';
import { useCredentialGeneration } from '../../../api/credentials.ts';
import type { DecodedTransaction } from '../../../api/decoded-transaction.ts';
import { decodeTransaction } from '../../../api/decode.ts';
import { fetchRaw } from '../../../api/raw-query.ts';
import { readAnswer } from '../../../api/read-answer.ts';
import { type Scope, toScopePath } from '../../../api/scope.ts';
import type { ShapeReader } from '../../../base/json-shape.ts';
import {
  type LedgerOrder,
  type OrderBid,
  readFills,
  readOrderDetail,
  readOrderRequests,
  readOrders,
  readWaitingOrder,
} from './ledger-shapes.ts';

/** What a list is filtered by: the query of the endpoint, by name. */
export type LedgerFilters = Readonly<Record<string, string>>;

const PAGE = 100;
const FOLLOW_MS = 4_000;
/** An order may be read while it is executed. */
const ORDER_MS = 2_000;
/** The log is read by its time alone, whose rows may be many, to find those of an order. */
const REQUESTS_MS = 10_000;
/** The first request about an order may be noted before it, and the last some minutes after it. */
const BEFORE_MS = 60_000;
const AFTER_MS = 3_600_000;
/** An execution takes no longer. */
const FOLLOWED_MS = 300_000;
/** What happens at the end is written behind the answer. */
const SETTLED_MS = 20_000;
/** How often a transaction that cannot be read is asked for by itself. */
const MOST_READS = 10;

/** Reads the orders of a scope page by page, newest first. */
export function useLedgerOrders(scope: Scope, filters: LedgerFilters, isLive: boolean) {
  return useLedgerList({ scope, part: 'orders', filters, isLive, read: readOrders });
}

/** Reads the fills of a scope page by page, newest first. */
export function useLedgerFills(scope: Scope, filters: LedgerFilters, isLive: boolean) {
  return useLedgerList({ scope, part: 'fills', filters, isLive, read: readFills });
}

function useLedgerList<Page extends { readonly next: string | null }>({
  scope,
  part,
  filters,
  isLive,
  read,
}: {
  readonly scope: Scope;
  readonly part: 'orders' | 'fills';
  readonly filters: LedgerFilters;
  readonly isLive: boolean;
  readonly read: ShapeReader<Page>;
}) {
  const path = toScopePath(scope, `/${part}`);
  return useInfiniteQuery({
    queryKey: ['ledger', path, filters, useCredentialGeneration()],
    queryFn: async ({ pageParam, signal }) => {
      const query = new URLSearchParams({
        ...filters,
        limit: `${PAGE}`,
        ...(pageParam === null ? {} : { cursor: pageParam }),
      });
      const raw = await fetchRaw<unknown>(`${path}?${query}`, 'admin', signal);
      return { raw, value: readAnswer(`the ${part}`, read, raw.answer) };
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ value }) => value.next,
    refetchInterval: ({ state: { data, error } }) =>
      isLive && error === null && (data?.pages.length ?? 0) <= 1 ? FOLLOW_MS : false,
    placeholderData: keepPreviousData,
  });
}

/** Reads an order, with the makers that were considered for it where the reader may see them. */
export function useLedgerOrder(scope: Scope, id: string) {
  const path = toScopePath(scope, `/orders/${encodeURIComponent(id)}`);
  return useQuery({
    queryKey: ['ledger-order', path, useCredentialGeneration()],
    queryFn: async ({ signal }) => {
      const raw = await fetchRaw<unknown>(path, 'admin', signal);
      return { raw, value: readAnswer('the order', readOrderDetail, raw.answer) };
    },
    retry: false,
    refetchInterval: ({ state: { data } }) => (isUnderWay(data?.value.order) ? ORDER_MS : false),
  });
}

/** Whether more may come to be known of an order: it can still be executed, or the log is not written yet. */
function isUnderWay(order: LedgerOrder | undefined): boolean {
  if (order === undefined) return false;
  const { begunAt = order.at, endedAt = null } = order.execution ?? {};
  return Date.now() - (endedAt ?? begunAt) < (endedAt === null ? FOLLOWED_MS : SETTLED_MS);
}

/** Reads the requests of the log about an order. Null: the log cannot be read. */
export function useOrderRequests(scope: Scope, order: LedgerOrder | undefined) {
  const times = order === undefined ? null : { since: order.at - BEFORE_MS, until: order.at + AFTER_MS };
  const query = new URLSearchParams({
    order: order?.requestId ?? '',
    ...(times === null ? {} : { since: `${Math.max(0, times.since)}`, until: `${times.until}` }),
  });
  const path = toScopePath(scope, `/log?${query}`);
  return useAdminPart(
    order === undefined ? null : path,
    'the request log',
    readOrderRequests,
    isUnderWay(order) ? REQUESTS_MS : false,
  );
}

/** Reads what is known of the landing of a transaction that was submitted for it. */
export function useOrderLandings(scope: Scope, signature: string | null) {
  const path = signature === null ? null : toScopePath(scope, `/landings/${encodeURIComponent(signature)}`);
  return useAdminPart(path, 'the landing', readLandings);
}

/** Reads the fill of an order, which an organisation may see beside its order. */
export function useOwnFill(scope: Scope, order: LedgerOrder | undefined): OrderBid | null {
  const isAsked = scope.kind === 'organisation' && order !== undefined && order.maker !== null;
  const query = new URLSearchParams({
    since: `${order?.at ?? 0}`,
    until: `${(order?.at ?? 0) + 1}`,
    maker: order?.maker ?? '',
  });
  const path = isAsked ? toScopePath(scope, `/fills?${query}`) : null;
  const { data } = useAdminPart(path, 'the fills', readFills, isUnderWay(order) ? ORDER_MS : false);
  return data?.fills.find(({ requestId }) => requestId === order?.requestId) ?? null;
}

/** Looks for an order that waits for its price, which the operator may read. Undefined: it is not known yet. */
export function useWaitingOrder(scope: Scope, id: string | null) {
  const isAsked = scope.kind === 'instance' && id !== null;
  return useAdminPart(
    isAsked ? `/admin/v1/waiting-orders/${encodeURIComponent(id)}` : null,
    'the order',
    readWaitingOrder,
  );
}

function useAdminPart<Value>(
  path: string | null,
  what: string,
  read: ShapeReader<Value>,
  refetchInterval: number | false = false,
) {
  return useQuery({
    queryKey: ['ledger-part', path, useCredentialGeneration()],
    queryFn: async ({ signal }) =>
      readAnswer(what, read, (await fetchRaw<unknown>(path ?? '', 'admin', signal)).answer),
    enabled: path !== null,
    retry: false,
    refetchInterval,
  });
}

/** Reads the transaction of an order from the chain. A node may have it some seconds after the ledger knows that it landed. */
export function useLandedTransaction(signature: string | null) {
  return useQuery({
    queryKey: ['landed-transaction', signature],
    queryFn: (): Promise<DecodedTransaction> => decodeTransaction({ signature: signature ?? '' }),
    enabled: signature !== null,
    retry: false,
    refetchInterval: ({ state: { data, errorUpdateCount } }) =>
      data === undefined && errorUpdateCount < MOST_READS ? ORDER_MS : false,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Whether an error says that there is no such thing. */
export function isAbsent(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}
