import { BID_TABLE, type LedgerTable, listLedgerColumns, ORDER_TABLE } from './ledger-columns.ts';
import { type LedgerBid, type LedgerOrder, parseLedgerBid, parseLedgerOrder } from './ledger-records.ts';
import type { OrderLedger } from './order-ledger.ts';

/** Which orders or fills to list. Absent fields select everything. */
export interface LedgerFilter {
  readonly organisationId?: string;
  readonly taker?: string;
  readonly makerId?: string;
  readonly signature?: string;
}

/** Which orders to list. */
export interface OrderFilter extends LedgerFilter {
  readonly router?: string;
  readonly outcome?: OrderOutcome;
  /** The code of the execution. */
  readonly code?: number;
}

/**
 * How an order stands. `open`: it runs, or the instance that ran it was killed. `unknown`: the execution was answered that
 * nobody knows yet whether the swap was made.
 */
export type OrderOutcome = 'never-executed' | 'open' | 'succeeded' | 'failed' | 'unknown';

/** Which makers' part in orders to list. */
export interface BidFilter extends LedgerFilter {
  /** `filled`: its fill was offered. Default: all. */
  readonly result?: BidResult;
  /** How the fill stands: one of `RecordedState`. */
  readonly state?: string;
}

export const BID_RESULTS = ['won', 'lost', 'filled'] as const;
export type BidResult = (typeof BID_RESULTS)[number];

/** A part of a list, newest first. */
export interface LedgerRange {
  /** Unix milliseconds, `since` included and `until` excluded. */
  readonly since: number;
  readonly until: number;
  /** The last row of the page before; null for the first page. */
  readonly after: { readonly at: number; readonly requestId: string } | null;
  /** The most rows. */
  readonly limit: number;
}

/** Lists orders, newest first. What this process has noted is written first. */
export async function listOrders(
  ledger: OrderLedger,
  { router, outcome, code, ...filter }: OrderFilter,
  range: LedgerRange,
): Promise<readonly LedgerOrder[]> {
  // SQLite does not know how many rows a code has. Of an organisation, a code is looked for among its own orders.
  const isAmongOwn = filter.organisationId !== undefined;
  const columns = [['router', router] as const, [isAmongOwn ? '(code + 0)' : 'code', code] as const];
  const conditions = [...toConditions(filter), ...columns.flatMap(toCondition)];
  const ofOutcome = outcome === undefined ? [] : [OUTCOME_CONDITIONS[outcome]];
  const ofCode = code === undefined ? [] : [code === 0 ? 'code = 0' : 'code <> 0'];
  return (await select(ledger, ORDER_TABLE, conditions, range, [...ofOutcome, ...ofCode])).map(
    parseLedgerOrder,
  );
}

/** Lists the makers' part in orders, newest first. What this process has noted is written first. */
export async function listBids(
  ledger: OrderLedger,
  { result, state, ...filter }: BidFilter,
  range: LedgerRange,
): Promise<readonly LedgerBid[]> {
  const ofResult = result === undefined ? [] : [RESULT_CONDITIONS[result]];
  const conditions = [...toConditions(filter), ...toCondition(['state', state])];
  return (await select(ledger, BID_TABLE, conditions, range, ofResult)).map(parseLedgerBid);
}

/**
 * @param organisationId - Finds an order of this organisation only; by default, of all.
 * @returns the order of a request; null if the ledger has none
 */
export async function findOrder(
  ledger: OrderLedger,
  requestId: string,
  organisationId?: string,
): Promise<LedgerOrder | null> {
  await ledger.flush();
  const ofOwner = organisationId === undefined ? '' : ' and owner = $2';
  const parameters = organisationId === undefined ? [requestId] : [requestId, organisationId];
  const text = `select ${listLedgerColumns(ORDER_TABLE)} from ${ORDER_TABLE.name} where request_id = $1${ofOwner}`;
  const [row] = await ledger.database.query(text, parameters);
  return row === undefined ? null : parseLedgerOrder(row);
}

/** Returns the makers that were considered for an order, by their ids. */
export async function listBidsOfOrder(ledger: OrderLedger, requestId: string): Promise<readonly LedgerBid[]> {
  await ledger.flush();
  const text = `select ${listLedgerColumns(BID_TABLE)} from ${BID_TABLE.name} where request_id = $1 order by maker`;
  return (await ledger.database.query(text, [requestId])).map(parseLedgerBid);
}

/** -1001 and -2001 are also the codes of a failure that is on the chain, and is then known. */
const IS_UNKNOWN = 'code in (-1001, -2001) and slot is null';
/** The indexes of failures and of open orders have the same conditions. */
const OUTCOME_CONDITIONS: Readonly<Record<OrderOutcome, string>> = {
  'never-executed': 'code is null and executed_at is null',
  open: 'code is null and executed_at is not null',
  succeeded: 'code = 0',
  failed: `code <> 0 and not (${IS_UNKNOWN})`,
  unknown: `code <> 0 and ${IS_UNKNOWN}`,
};

const RESULT_CONDITIONS: Readonly<Record<BidResult, string>> = {
  won: 'lost is null',
  lost: 'lost is not null',
  // Only a winner has a fill, and its index is by the maker.
  filled: 'lost is null and state is not null',
};

type LedgerCondition = readonly [column: string, value: string | number];

function toConditions({
  organisationId,
  taker,
  makerId,
  signature,
}: LedgerFilter): readonly LedgerCondition[] {
  const given = [
    ['owner', organisationId],
    ['taker', taker],
    ['maker', makerId],
    ['signature', signature],
  ] as const;
  return given.flatMap(toCondition);
}

function toCondition([column, value]: readonly [
  string,
  string | number | undefined,
]): readonly LedgerCondition[] {
  return value === undefined ? [] : [[column, value]];
}

/** Values are parameters of the statement, never a part of its text. */
async function select(
  ledger: OrderLedger,
  table: LedgerTable,
  equal: readonly LedgerCondition[],
  { since, until, after, limit }: LedgerRange,
  further: readonly string[] = [],
): Promise<unknown[][]> {
  const parameters: (string | number)[] = [];
  const place = (value: string | number) => `$${parameters.push(value)}`;
  const conditions = [
    ...further,
    ...equal.map(([column, value]) => `${column} = ${place(value)}`),
    `at >= ${place(since)}`,
    `at < ${place(until)}`,
    ...(after === null
      ? []
      : [
          `(at < ${place(after.at)} or (at = ${place(after.at)} and request_id < ${place(after.requestId)}))`,
        ]),
  ];
  await ledger.flush();
  const text = `select ${listLedgerColumns(table)} from ${table.name} where ${conditions.join(' and ')} order by at desc, request_id desc limit ${place(limit)}`;
  return ledger.database.query(text, parameters);
}
