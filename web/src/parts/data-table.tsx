import './data-table.css';
import type { ReactNode } from 'react';

export interface TableColumn<Row> {
  readonly heading: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers are aligned at the right. Default: `start`. */
  readonly align?: 'start' | 'end';
}

/** A table. It scrolls within itself where it is wider than the page. */
export function DataTable<Row>({
  caption,
  columns,
  rows,
  rowKey,
}: {
  /** What the table shows, for screen readers. */
  readonly caption: string;
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row, index: number) => string | number;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="data-table" tabIndex={0} aria-label={caption}>
      <table>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ heading, align = 'start' }) => (
              <th key={heading} scope="col" className={`data-table__${align}`}>
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={rowKey(row, index)}>
              {columns.map(({ heading, cell, align = 'start' }) => (
                <td key={heading} data-heading={heading} className={`data-table__${align}`}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
