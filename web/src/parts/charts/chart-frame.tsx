import './charts.css';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react';
import { DataTable } from '../data-table.tsx';
import { Disclosure } from '../disclosure.tsx';
import { EmptyNote } from '../status.tsx';
import { findNearest } from './chart-scale.ts';
import { useWidth } from '../use-width.ts';

/** What a chart shows as texts, for those who do not see it or want the exact values. */
export interface ChartTableText {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** One kind of line or area, and its colour among those of charts. */
export interface ChartKey {
  readonly name: string;
  readonly tone: string;
  /** Whether its line is thin. Default: false. */
  readonly thin?: boolean;
}

/** Rows of the table. More could not be drawn at once. */
const MAX_ROWS = 200;

/**
 * The frame of every chart: its titles and its legend, the drawing in the width that there is, the values under the pointer or
 * chosen by the arrow keys, and the same as a table.
 */
export function ChartFrame({
  label,
  yTitle,
  xTitle,
  legend = [],
  height,
  isEmpty,
  empty,
  table,
  positions,
  toReadout,
  children,
}: {
  /** The accessible name. */
  readonly label: string;
  readonly yTitle?: ReactNode;
  readonly xTitle?: ReactNode;
  readonly legend?: readonly ChartKey[];
  readonly height: number;
  readonly isEmpty: boolean;
  readonly empty: ReactNode;
  readonly table: ChartTableText;
  /** Where the values are in a drawing of a width, from left to right. */
  readonly positions: (width: number) => readonly number[];
  /** What is said of one of them. */
  readonly toReadout: (index: number) => ReactNode;
  /** Draws in a width; the index is that of the chosen value. */
  readonly children: (width: number, index: number | null) => ReactNode;
}) {
  const [width, measure] = useWidth();
  const at = width === 0 || isEmpty ? [] : positions(width);
  const { index, handlers } = useCrosshair(at);
  if (isEmpty) return <EmptyNote>{empty}</EmptyNote>;
  return (
    <figure className="chart">
      <div className="chart__titles">
        {yTitle === undefined ? null : <span>{yTitle}</span>}
        {legend.length === 0 ? null : <ChartLegend keys={legend} />}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms. */}
      <div
        ref={measure}
        className="chart__plot"
        style={{ height }}
        role="group"
        aria-label={`${label}. The arrow keys read its values.`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the values can be read by keyboard.
        tabIndex={0}
        {...handlers}
      >
        {width === 0 ? null : (
          <svg width={width} height={height} aria-hidden="true">
            {children(width, index)}
          </svg>
        )}
      </div>
      {xTitle === undefined ? null : <p className="chart__x-title">{xTitle}</p>}
      <p
        className={index === null ? 'chart__readout chart__readout--hint' : 'chart__readout'}
        aria-live="polite"
      >
        {index === null
          ? 'Point at the chart, or focus it and use the arrow keys, to read a value.'
          : toReadout(index)}
      </p>
      <ChartTable label={label} table={table} />
    </figure>
  );
}

/** The values of a chart as a table, which is opened on request. */
export function ChartTable({ label, table }: { readonly label: string; readonly table: ChartTableText }) {
  const rows = table.rows.slice(-MAX_ROWS);
  return (
    <Disclosure summary="Show as a table">
      <DataTable
        caption={label}
        columns={table.columns.map((heading, column) => ({
          heading,
          cell: (row: readonly string[]) => row[column] ?? '',
          align: column === 0 ? 'start' : 'end',
        }))}
        rows={rows}
        rowKey={(_, index) => index}
      />
      {rows.length === table.rows.length ? null : (
        <p className="chart__readout">
          The last {MAX_ROWS} of {table.rows.length} rows.
        </p>
      )}
    </Disclosure>
  );
}

/** The names of the colours of a chart. */
export function ChartLegend({ keys }: { readonly keys: readonly ChartKey[] }) {
  return (
    <ul className="chart__legend">
      {keys.map(({ name, tone, thin = false }) => (
        <li key={name}>
          <span
            className={`chart__key chart--${tone}${thin ? ' chart__key--thin' : ''}`}
            aria-hidden="true"
          />
          {name}
        </li>
      ))}
    </ul>
  );
}

/** Which of some positions is chosen, by the pointer or by the arrow keys. */
function useCrosshair(positions: readonly number[]) {
  const [chosen, setChosen] = useState<number | null>(null);
  const last = positions.length - 1;
  const index = chosen === null || last < 0 ? null : Math.min(chosen, last);
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const { left } = event.currentTarget.getBoundingClientRect();
    setChosen(findNearest(positions, event.clientX - left));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = moveByKey(event.key, index, last);
    if (next === undefined) return;
    event.preventDefault();
    setChosen(next);
  };
  return {
    index,
    handlers: {
      onPointerMove,
      onPointerDown: onPointerMove,
      onPointerLeave: () => setChosen(null),
      onKeyDown,
      onBlur: () => setChosen(null),
    },
  };
}

/** Returns the next index; undefined for keys that mean nothing here. */
function moveByKey(key: string, index: number | null, last: number): number | null | undefined {
  if (last < 0) return undefined;
  if (key === 'ArrowLeft') return Math.max((index ?? last + 1) - 1, 0);
  if (key === 'ArrowRight') return Math.min((index ?? -1) + 1, last);
  if (key === 'Home') return 0;
  if (key === 'End') return last;
  return key === 'Escape' ? null : undefined;
}
