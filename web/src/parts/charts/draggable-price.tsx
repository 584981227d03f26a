import './charts.css';
import './draggable-price.css';
import { curveStepAfter, line } from 'd3-shape';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { ChartAxes, computeChartArea } from './axes.tsx';
import { useWidth } from '../use-width.ts';
import { buildNumberAxis, buildTimeAxis, computeRange, computeTimeRange } from './chart-scale.ts';
import { roundPrice, stepPrice } from './price-steps.ts';

/** How far above and below the price a drag can go, as a share of it. A second drag goes further. */
const REACH = 0.25;

/**
 * A price over time whose end can be moved: by dragging, or by the arrow keys. It is a slider to screen readers.
 *
 * @param props.onDraft - Called with a price that is not chosen yet while it is moved, and with null where it is given up.
 * @param props.onCommit - Called with the price when the pointer or the key is released.
 */
export function DraggablePrice({
  label,
  points,
  value,
  draft,
  formatPrice,
  onDraft,
  onCommit,
  disabled = false,
  height = 240,
}: {
  readonly label: string;
  /** The prices so far, from the oldest to the newest, at times in milliseconds of the Unix epoch. */
  readonly points: readonly { readonly time: number; readonly price: number }[];
  /** The price now. */
  readonly value: number;
  /** What is being chosen; null: nothing. */
  readonly draft: number | null;
  readonly formatPrice: (price: number) => string;
  readonly onDraft: (price: number | null) => void;
  readonly onCommit: (price: number) => void;
  readonly disabled?: boolean;
  readonly height?: number;
}) {
  const [width, measure] = useWidth();
  // The axis stands still while the price is moved: otherwise it would run from the pointer.
  const [frozen, setFrozen] = useState<readonly [number, number] | null>(null);
  const isDragging = useRef(false);
  const range = frozen ?? computeReach([...points.map(({ price }) => price), value], value);
  const shown = draft ?? value;
  const layout = width === 0 ? null : layOutPrice(width, height, points, range, formatPrice);

  const moveTo = (event: PointerEvent<HTMLElement>) => {
    if (layout === null) return;
    const { top } = event.currentTarget.getBoundingClientRect();
    const at = Math.min(Math.max(event.clientY - top, layout.area.top), layout.area.bottom);
    onDraft(roundPrice(layout.y.toValue(at)));
  };
  const handlers = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (disabled || event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      isDragging.current = true;
      setFrozen(range);
      moveTo(event);
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (isDragging.current) moveTo(event);
    },
    onPointerUp: () => {
      if (!isDragging.current) return;
      isDragging.current = false;
      setFrozen(null);
      if (draft !== null) onCommit(draft);
    },
    onPointerCancel: () => {
      isDragging.current = false;
      setFrozen(null);
      onDraft(null);
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Escape') onDraft(null);
      const next = disabled ? null : stepPrice(event.key, shown);
      if (next === null) return;
      event.preventDefault();
      setFrozen(frozen ?? range);
      onDraft(next);
    },
    onKeyUp: (event: KeyboardEvent) => {
      if (stepPrice(event.key, shown) === null || draft === null) return;
      setFrozen(null);
      onCommit(draft);
    },
  };
  return (
    <div className="chart draggable-price">
      <div
        ref={measure}
        className="chart__plot"
        style={{ height }}
        role="slider"
        tabIndex={disabled ? -1 : 0}
        aria-label={label}
        aria-orientation="vertical"
        aria-disabled={disabled}
        aria-valuemin={0}
        aria-valuemax={range[1]}
        aria-valuenow={shown}
        aria-valuetext={formatPrice(shown)}
        {...handlers}
      >
        {layout === null ? null : (
          <svg width={width} height={height} aria-hidden="true">
            <ChartAxes area={layout.area} x={layout.x} y={layout.y} />
            <path className="chart__line chart--series-6" d={layout.path} />
            <line
              className="draggable-price__line"
              x1={layout.area.left}
              x2={layout.area.right}
              y1={layout.y.toPixel(shown)}
              y2={layout.y.toPixel(shown)}
            />
            <circle
              className="draggable-price__grip"
              r={9}
              cx={layout.area.right - 9}
              cy={layout.y.toPixel(shown)}
            />
            <text
              className="draggable-price__value"
              x={layout.area.right - 26}
              y={layout.y.toPixel(shown) - 8}
              textAnchor="end"
            >
              {formatPrice(shown)}
            </text>
          </svg>
        )}
      </div>
    </div>
  );
}

function layOutPrice(
  width: number,
  height: number,
  points: readonly { readonly time: number; readonly price: number }[],
  range: readonly [number, number],
  formatPrice: (price: number) => string,
) {
  const labels = buildNumberAxis(range, [0, 1], 5, formatPrice).ticks.map(({ text }) => text);
  const area = computeChartArea(width, height, labels);
  const times = computeTimeRange(points.map(({ time }) => time));
  const x = buildTimeAxis(times, [area.left, area.right - 18], Math.max(2, Math.round(width / 110)));
  const y = buildNumberAxis(range, [area.bottom, area.top], 5, formatPrice);
  const draw = line<{ readonly time: number; readonly price: number }>()
    .x(({ time }) => x.toPixel(time))
    .y(({ price }) => y.toPixel(price))
    .curve(curveStepAfter);
  return { area, x, y, path: draw([...points]) ?? '' };
}

function computeReach(prices: readonly number[], value: number): readonly [number, number] {
  const [from, to] = computeRange([...prices, value * (1 - REACH), value * (1 + REACH)], 0);
  return [Math.max(from, 0), to];
}
