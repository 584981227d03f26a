import './live.css';
import '../data-table.css';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { DataTable, type TableColumn } from '../data-table.tsx';
import { MAX_ROWS_DRAWN } from './live-list.tsx';

/** A table of so many rows is drawn whole. */
const MAX_WHOLE = 100;
const OVERSCAN = 10;

interface VirtualTableProps<Row> {
  /** What the table shows, for screen readers. */
  readonly caption: string;
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row, index: number) => string | number;
  /** The height of a row in pixels, until it is measured. Default: 41. */
  readonly estimate?: number;
  /** A length of CSS. Default: `36rem`. */
  readonly height?: string;
}

/** A table that may have many rows: of a long one only those that are seen are in the page, and it scrolls within itself. */
export function VirtualTable<Row>(props: VirtualTableProps<Row>) {
  const { caption, columns, rows, rowKey } = props;
  if (rows.length <= MAX_WHOLE)
    return <DataTable caption={caption} columns={columns} rows={rows} rowKey={rowKey} />;
  return <LongTable {...props} />;
}

function LongTable<Row>({
  caption,
  columns,
  rows,
  rowKey,
  estimate = 41,
  height = '36rem',
}: VirtualTableProps<Row>) {
  const scroller = useRef<HTMLElement>(null);
  const virtualizer = useVirtualizer<HTMLElement, HTMLTableRowElement>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => estimate,
    overscan: OVERSCAN,
    useFlushSync: false,
  });
  // A position that is set while the browser scrolls smoothly ends the scrolling on its way.
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = (_, __, { scrollDirection }) =>
    scrollDirection === 'backward';
  const drawn = virtualizer.getVirtualItems().slice(0, MAX_ROWS_DRAWN);
  const before = drawn[0]?.start ?? 0;
  const after = virtualizer.getTotalSize() - (drawn.at(-1)?.end ?? 0);
  return (
    <section
      ref={scroller}
      className="data-table virtual-table"
      style={{ maxHeight: height }}
      aria-label={caption}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
      tabIndex={0}
    >
      <table aria-rowcount={rows.length + 1}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map(({ heading, align = 'start' }) => (
              <th key={heading} scope="col" className={`data-table__${align}`}>
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <TableSpace height={before} columns={columns.length} />
          {drawn.map(({ index }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <tr
                key={rowKey(row, index)}
                ref={virtualizer.measureElement}
                data-index={index}
                aria-rowindex={index + 2}
              >
                {columns.map(({ heading, cell, align = 'start' }) => (
                  <td key={heading} className={`data-table__${align}`}>
                    {cell(row)}
                  </td>
                ))}
              </tr>
            );
          })}
          <TableSpace height={after} columns={columns.length} />
        </tbody>
      </table>
    </section>
  );
}

/** Stands where rows would be that are not in the page. */
function TableSpace({ height, columns }: { readonly height: number; readonly columns: number }) {
  if (height <= 0) return null;
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row of a table takes no focus.
    <tr className="virtual-table__space" aria-hidden="true">
      <td colSpan={columns} style={{ height }} />
    </tr>
  );
}
