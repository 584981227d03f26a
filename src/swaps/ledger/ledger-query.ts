import { BID_TABLE, type LedgerTable, listLedgerColumns, ORDER_TABLE } from './ledger-columns.ts';
import { type LedgerBid, type LedgerOrder, parseLedgerBid, parseLedgerOrder } from './ledger-records.ts';
import type { OrderLedger } from './order-ledger.ts';

/** Which orders or fills to list. Absent fields select everything. */
export interface LedgerFilter {
  readonly organisationId?: string;
  readonly taker?: string;
  readonly makerId?: string;
}

/** Which makers' part in orders to list. */
export interface BidFilter extends LedgerFilter {
  /** `filled`: its fill was offered. Default: all. */
  readonly result?: BidResult;
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
  filter: LedgerFilter,
  range: LedgerRange,
): Promise<readonly LedgerOrder[]> {
  return (await select(ledger, ORDER_TABLE, toConditions(filter), range)).map(parseLedgerOrder);
}

/** Lists the makers' part in orders, newest first. What this process has noted is written first. */
export async function listBids(
  ledger: OrderLedger,
  { result, ...filter }: BidFilter,
  range: LedgerRange,
): Promise<readonly LedgerBid[]> {
  const ofResult = result === undefined ? [] : [RESULT_CONDITIONS[result]];
  return (await select(ledger, BID_TABLE, toConditions(filter), range, ofResult)).map(parseLedgerBid);
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

const RESULT_CONDITIONS: Readonly<Record<BidResult, string>> = {
  won: 'lost is null',
  lost: 'lost is not null',
  // Only a winner has a fill, and its index is by the maker.
  filled: 'lost is null and state is not null',
};

function toConditions({
  organisationId,
  taker,
  makerId,
}: LedgerFilter): readonly [string, string | number][] {
  const given: [string, string | number | undefined][] = [
    ['owner', organisationId],
    ['taker', taker],
    ['maker', makerId],
  ];
  return given.flatMap(([column, value]) =>
    value === undefined ? [] : [[column, value] as [string, string | number]],
  );
}

/** Values are parameters of the statement, never a part of its text. */
async function select(
  ledger: OrderLedger,
  table: LedgerTable,
  equal: readonly [column: string, value: string | number][],
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
