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
  readonly rank: {
    /** Returns the rank of a result; 0 without one. */
    readonly of: (row: LedgerCells) => number;
    /** Returns the same in SQL for the table or the row of that name. */
    readonly sql: (of: string) => string;
  };
}

/** Codes of executions whose outcome is not known. */
const UNKNOWN_CODES: readonly number[] = [Code.UNKNOWN, Code.MAKER_UNKNOWN];
/** What is known stays: an instance that does not see a transaction must not take its landing back. */
const rankCode = (code: unknown): number =>
  code === null || code === undefined ? 0 : code === 0 ? 3 : UNKNOWN_CODES.includes(Number(code)) ? 1 : 2;

/** The orders that were given out with a transaction, and their executions. */
export const ORDER_TABLE: LedgerTable = {
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
  ],
  rank: {
    of: (row) => rankCode(row.code),
    sql: (of) =>
      `(case when ${of}.code is null then 0 when ${of}.code = 0 then 3 when ${of}.code in (${UNKNOWN_CODES.join(', ')}) then 1 else 2 end)`,
  },
};

/** The makers that were considered for each order, and what became of the fill of the one that won. */
export const BID_TABLE: LedgerTable = {
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
  ],
  rank: {
    of: (row) => {
      const { state } = row;
      return state === null || state === undefined
        ? 0
        : state === 'offered'
          ? 1
          : state === 'confirmed'
            ? 3
            : 2;
    },
    sql: (of) =>
      `(case when ${of}.state is null then 0 when ${of}.state = 'offered' then 1 when ${of}.state = 'confirmed' then 3 else 2 end)`,
  },
};

/** Returns the names of a table's columns for `select`, in their order. */
export function listLedgerColumns({ columns }: LedgerTable): string {
  return columns.map(([name]) => name).join(', ');
}

/**
 * Joins what is noted of a row with what was noted of it before, in place, because orders are noted while they are answered.
 * The tables join rows in the same way.
 */
export function joinLedgerCells(table: LedgerTable, row: LedgerCells, newer: Readonly<LedgerCells>): void {
  const rules = getJoinRules(table);
  const rankOfNewer = table.rank.of(newer);
  const takesResult = rankOfNewer > 0 && rankOfNewer >= table.rank.of(row);
  if (takesResult) for (const name of rules.results) row[name] = newer[name] ?? null;
  for (const name in newer) {
    const rule = rules.byName.get(name);
    if (rule === 'first') row[name] ??= newer[name] ?? null;
    else if (rule === 'last') row[name] = newer[name] ?? row[name] ?? null;
  }
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
  { name: table, columns, rank }: LedgerTable,
  rows: readonly LedgerCells[],
): Statement {
  const keys = columns.filter(([, , rule]) => rule === 'key').map(([name]) => name);
  const takesResult = `(${rank.sql('excluded')} > 0 and ${rank.sql('excluded')} >= ${rank.sql(table)})`;
  const joined = columns.flatMap(([name, , rule]) => {
    if (rule === 'key') return [];
    const [one, other] = [`${table}.${name}`, `excluded.${name}`];
    if (rule === 'result') return [`${name} = case when ${takesResult} then ${other} else ${one} end`];
    return [`${name} = coalesce(${rule === 'last' ? `${other}, ${one}` : `${one}, ${other}`})`];
  });
  const onConflict = `on conflict (${keys.join(', ')}) do update set ${joined.join(', ')}`;
  const json = JSON.stringify(rows.map((row) => columns.map(([name]) => row[name] ?? null)));
  return insertJsonRows(kind, { table, columns }, json, onConflict);
}
