import type { LogDatabase, Statement } from './log-database.ts';

/** The columns of rows, in the order of their cells. */
export type RowColumns = readonly (readonly [name: string, type: string, ...unknown[]])[];

/**
 * The rows of a statement on PostgreSQL, from JSON in `$1`. Where the server expects JSON, the driver would encode a text as
 * JSON a second time.
 */
export const POSTGRES_JSON_ROWS = 'json_array_elements(cast(cast($1 as text) as json)) as elements (value)';

/**
 * Returns a statement that inserts rows.
 *
 * @param json - An array of arrays, each with the cells of a row.
 * @param onConflict - What happens to rows that are stored already. By default, they are refused.
 */
export function insertJsonRows(
  kind: LogDatabase['kind'],
  { table, columns }: { readonly table: string; readonly columns: RowColumns },
  json: string | Uint8Array,
  onConflict = '',
): Statement {
  const names = columns.map(([name]) => name).join(', ');
  if (kind === 'sqlite') {
    const places = columns.map((_, index) => `$${index + 1}`).join(', ');
    return {
      text: `insert into ${table} (${names}) values (${places}) ${onConflict}`,
      parameters: [],
      rows: typeof json === 'string' ? Buffer.from(json) : json,
    };
  }
  return {
    text: `insert into ${table} (${names}) select ${selectJsonCells(columns)} from ${POSTGRES_JSON_ROWS} ${onConflict}`,
    parameters: [typeof json === 'string' ? json : Buffer.from(json).toString()],
  };
}

/** Returns what `select` lists to read the cells of rows that are JSON arrays, each with the type of its column. */
export function selectJsonCells(columns: RowColumns): string {
  return columns.map(([, type], index) => `cast(value ->> ${index} as ${type})`).join(', ');
}
