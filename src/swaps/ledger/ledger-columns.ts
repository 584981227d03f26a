import type { LogDatabase, Statement } from '../../store/log/log-database.ts';
import { insertJsonRows } from '../../store/log/insert-rows.ts';
import { Code } from '../orders/execution-result.ts';

/** What is known of a row, by column. A column that is absent or null is not known yet. */
export type LedgerCells = Record<string, string | number | null>;

/**
 * How a cell is joined with a newer one. `key`: both are equal. `first`: what is known first stays. `last`: what is known
 * last counts. `result`: all cells of the result together, by their rank, and the newer ones if the ranks are equal.
 */
type JoinRule = 'key' | 'first' | 'last' | 'result';

/** A table of the ledger. Several instances note a part of a row each, in any order. */
export interface LedgerTable {
  readonly name: string;
  readonly columns: readonly (readonly [name: string, type: 'text' | 'bigint', rule: JoinRule])[];
  readonly rank: ResultRank;
}

/** The rank of a result by the value of one of its columns: 0 without a value, and `OTHER_RANK` if it is not listed. */
interface ResultRank {
  readonly column: string;
  readonly ranks: ReadonlyMap<string | number, number>;
}

const OTHER_RANK = 2;

/** The orders that were given out with a transaction, and their executions. */
export const ORDER_TABLE = {
  name: 'ledger_orders',
  columns: [
    ['request_id', 'text', 'key'],
    ['at', 'bigint', 'first'],
    ['owner', 'text', 'first'],
    ['taker', 'text', 'first'],
    ['receiver', 'text', 'first'],
    ['input_mint', 'text', 'first'],
    ['output_mint', 'text', 'first'],
    ['swap_mode', 'text', 'first'],
    ['in_amount', 'text', 'first'],
    ['out_amount', 'text', 'first'],
    ['slippage_bps', 'bigint', 'first'],
    ['fee_mint', 'text', 'first'],
    ['fee_amount', 'text', 'first'],
    ['router', 'text', 'first'],
    ['maker', 'text', 'first'],
    ['executed_at', 'bigint', 'first'],
    ['ended_at', 'bigint', 'result'],
    ['code', 'bigint', 'result'],
    ['reason', 'text', 'result'],
    ['signature', 'text', 'result'],
    ['slot', 'text', 'result'],
    ['total_input', 'text', 'result'],
    ['total_output', 'text', 'result'],
    ['payer', 'text', 'first'],
    ['paid_by', 'text', 'first'],
  ],
  rank: {
    column: 'code',
    // What is known stays: an instance that does not see a transaction must not take its landing back.
    ranks: new Map([
      [0, 3],
      [Code.UNKNOWN, 1],
      [Code.MAKER_UNKNOWN, 1],
    ]),
  },
} as const satisfies LedgerTable;

/** The makers that were considered for each order, and what became of the fill of the one that won. */
export const BID_TABLE = {
  name: 'ledger_bids',
  columns: [
    ['request_id', 'text', 'key'],
    ['maker', 'text', 'key'],
    ['at', 'bigint', 'first'],
    ['owner', 'text', 'first'],
    ['taker', 'text', 'first'],
    ['channel', 'text', 'first'],
    ['input_mint', 'text', 'first'],
    ['output_mint', 'text', 'first'],
    ['in_amount', 'text', 'first'],
    ['out_amount', 'text', 'first'],
    ['lost', 'text', 'first'],
    ['detail', 'text', 'first'],
    ['offered_at', 'bigint', 'first'],
    ['answered_at', 'bigint', 'first'],
    ['answer', 'text', 'first'],
    ['paid_mint', 'text', 'last'],
    ['paid', 'text', 'last'],
    ['received_mint', 'text', 'last'],
    ['received', 'text', 'last'],
    ['micro_dollars', 'text', 'last'],
    ['ended_at', 'bigint', 'result'],
    ['state', 'text', 'result'],
    ['failure', 'text', 'result'],
    ['signature', 'text', 'result'],
    ['behind', 'bigint', 'first'],
    ['lost_to', 'text', 'first'],
  ],
  rank: {
    column: 'state',
    ranks: new Map([
      ['offered', 1],
      ['confirmed', 3],
    ]),
  },
} as const satisfies LedgerTable;

/** Returns the names of a table's columns for `select`, in their order. */
export function listLedgerColumns({ columns }: LedgerTable): string {
  return columns.map(([name]) => name).join(', ');
}

/** Returns the names of the columns by which a row is found. */
export function listLedgerKeys({ columns }: LedgerTable): string {
  return columns.flatMap(([name, , rule]) => (rule === 'key' ? [name] : [])).join(', ');
}

/** A row as it is read, by column. */
export type ReadCells<Table extends LedgerTable> = Readonly<Record<Table['columns'][number][0], unknown>>;

/** @param row - In the order of the columns of the table. */
export function nameLedgerCells<Table extends LedgerTable>(
  { columns }: Table,
  row: readonly unknown[],
): ReadCells<Table> {
  return Object.fromEntries(columns.map(([name], index) => [name, row[index]])) as ReadCells<Table>;
}

/**
 * Joins what is noted of a row with what was noted of it before, in place, because orders are noted while they are answered.
 * The tables join rows in the same way.
 */
export function joinLedgerCells(table: LedgerTable, row: LedgerCells, newer: Readonly<LedgerCells>): void {
  const rules = getJoinRules(table);
  const rankOfNewer = rankResult(table.rank, newer);
  const takesResult = rankOfNewer > 0 && rankOfNewer >= rankResult(table.rank, row);
  if (takesResult) for (const name of rules.results) row[name] = newer[name] ?? null;
  for (const name in newer) {
    const rule = rules.byName.get(name);
    if (rule === 'first') row[name] ??= newer[name] ?? null;
    else if (rule === 'last') row[name] = newer[name] ?? row[name] ?? null;
  }
}

/** Returns the rank of the result in a row; 0 without one. */
function rankResult({ column, ranks }: ResultRank, row: Readonly<LedgerCells>): number {
  const value = row[column] ?? null;
  return value === null ? 0 : (ranks.get(value) ?? OTHER_RANK);
}

/** Returns the same in SQL, for the table or the row of that name. */
function writeRank({ column, ranks }: ResultRank, name: string): string {
  const listed = [...ranks].map(
    ([value, rank]) =>
      `when ${name}.${column} = ${typeof value === 'string' ? `'${value}'` : value} then ${rank}`,
  );
  return `(case when ${name}.${column} is null then 0 ${listed.join(' ')} else ${OTHER_RANK} end)`;
}

interface JoinRules {
  readonly byName: ReadonlyMap<string, JoinRule>;
  /** The columns of the result. */
  readonly results: readonly string[];
}

const rulesOfTable = new WeakMap<LedgerTable, JoinRules>();

function getJoinRules(table: LedgerTable): JoinRules {
  const known = rulesOfTable.get(table);
  if (known !== undefined) return known;
  const rules = {
    byName: new Map(table.columns.map(([name, , rule]) => [name, rule])),
    results: table.columns.flatMap(([name, , rule]) => (rule === 'result' ? [name] : [])),
  };
  rulesOfTable.set(table, rules);
  return rules;
}

/** Returns a statement that writes rows of a table, each of another key, and joins them with the stored ones. */
export function createLedgerStatement(
  kind: LogDatabase['kind'],
  ledgerTable: LedgerTable,
  rows: readonly LedgerCells[],
): Statement {
  const { name: table, columns, rank } = ledgerTable;
  const rankOfNewer = writeRank(rank, 'excluded');
  const takesResult = `(${rankOfNewer} > 0 and ${rankOfNewer} >= ${writeRank(rank, table)})`;
  const joined = columns.flatMap(([name, , rule]) => {
    if (rule === 'key') return [];
    const [one, other] = [`${table}.${name}`, `excluded.${name}`];
    if (rule === 'result') return [`${name} = case when ${takesResult} then ${other} else ${one} end`];
    return [`${name} = coalesce(${rule === 'last' ? `${other}, ${one}` : `${one}, ${other}`})`];
  });
  const onConflict = `on conflict (${listLedgerKeys(ledgerTable)}) do update set ${joined.join(', ')}`;
  const json = JSON.stringify(rows.map((row) => columns.map(([name]) => row[name] ?? null)));
  return insertJsonRows(kind, { table, columns }, json, onConflict);
}
