import { area, curveLinear, curveStepAfter, line } from 'd3-shape';
import type { ReactNode } from 'react';
import { ChartAxes, type ChartArea, computeChartArea } from './axes.tsx';
import { ChartFrame, type ChartTableText } from './chart-frame.tsx';
import { buildNumberAxis, type ChartAxis, computeRange } from './chart-scale.ts';

/** A place of a curve: at a price, how much is traded until there. */
export interface DepthPlace {
  readonly price: number;
  /** Summed from the first place on, in one unit for both sides. */
  readonly size: number;
}

/** A place that can be read. */
export interface DepthPoint extends DepthPlace {
  /** What is said of it, as a whole sentence. */
  readonly readout: string;
}

interface DepthChartProps {
  /** The accessible name. */
  readonly label: string;
  /** What the lower axis shows, with its unit: `USDC for one SOL`. */
  readonly priceLabel: string;
  /** What the left axis shows, with its unit. */
  readonly sizeLabel: string;
  readonly formatPrice?: (price: number) => string;
  readonly formatSize?: (size: number) => string;
  /** From the best price outward, with sizes that rise from zero. */
  readonly bids: readonly DepthPoint[];
  readonly asks: readonly DepthPoint[];
  /** `step` for orders of a book, `linear` for a pool. Default: `linear`. */
  readonly curve?: 'linear' | 'step';
  /** The curves before a change, drawn as thin lines. */
  readonly previous?: { readonly bids: readonly DepthPlace[]; readonly asks: readonly DepthPlace[] } | null;
  /** Prices that are marked, such as that of the feed. */
  readonly markers?: readonly { readonly price: number; readonly label: string }[];
  readonly table: ChartTableText;
  readonly height?: number;
  readonly empty?: ReactNode;
}

/** How much can be sold (bids) and bought (asks) until which price. */
export function DepthChart({
  label,
  priceLabel,
  sizeLabel,
  formatPrice,
  formatSize,
  bids,
  asks,
  curve = 'linear',
  previous = null,
  markers = [],
  table,
  height = 280,
  empty = 'Nothing can be traded here now.',
}: DepthChartProps) {
  const points = [...bids, ...asks].sort((one, other) => one.price - other.price);
  const layOut = (width: number) =>
    layOutDepth({
      width,
      height,
      places: [...points, ...(previous?.bids ?? []), ...(previous?.asks ?? [])],
      marked: markers.map(({ price }) => price),
      formatPrice,
      formatSize,
    });
  return (
    <ChartFrame
      label={label}
      yTitle={sizeLabel}
      xTitle={priceLabel}
      legend={[
        { name: 'bids', tone: 'good' },
        { name: 'asks', tone: 'bad' },
      ]}
      height={height}
      isEmpty={points.length === 0}
      empty={empty}
      table={table}
      positions={(width) => points.map(({ price }) => layOut(width).x.toPixel(price))}
      toReadout={(index) => points[index]?.readout ?? ''}
    >
      {(width, index) => (
        <Depth
          layout={layOut(width)}
          sides={[
            { tone: 'good', places: bids, before: previous?.bids ?? [] },
            { tone: 'bad', places: asks, before: previous?.asks ?? [] },
          ]}
          isStep={curve === 'step'}
          markers={markers}
          chosen={index === null ? null : (points[index] ?? null)}
        />
      )}
    </ChartFrame>
  );
}

interface DepthLayout {
  readonly area: ChartArea;
  readonly x: ChartAxis;
  readonly y: ChartAxis;
}

interface DepthSide {
  readonly tone: 'good' | 'bad';
  readonly places: readonly DepthPlace[];
  readonly before: readonly DepthPlace[];
}

function Depth({
  layout,
  sides,
  isStep,
  markers,
  chosen,
}: {
  readonly layout: DepthLayout;
  readonly sides: readonly DepthSide[];
  readonly isStep: boolean;
  readonly markers: readonly { readonly price: number; readonly label: string }[];
  readonly chosen: DepthPlace | null;
}) {
  const { area: box, x, y } = layout;
  return (
    <>
      <ChartAxes area={box} x={x} y={y} />
      {sides.map((side) => (
        <DepthCurve key={side.tone} layout={layout} side={side} isStep={isStep} />
      ))}
      {markers.map(({ price, label }) => (
        <g key={label}>
          <line
            className="chart__marker"
            x1={x.toPixel(price)}
            x2={x.toPixel(price)}
            y1={box.top}
            y2={box.bottom}
          />
          <text
            className="chart__marker-text"
            x={x.toPixel(price) + (x.toPixel(price) > (box.left + box.right) / 2 ? -6 : 6)}
            y={box.top + 8}
            textAnchor={x.toPixel(price) > (box.left + box.right) / 2 ? 'end' : 'start'}
          >
            {label}
          </text>
        </g>
      ))}
      {chosen === null ? null : (
        <>
          <line
            className="chart__crosshair"
            x1={x.toPixel(chosen.price)}
            x2={x.toPixel(chosen.price)}
            y1={box.top}
            y2={box.bottom}
          />
          <circle className="chart__dot" r={5} cx={x.toPixel(chosen.price)} cy={y.toPixel(chosen.size)} />
        </>
      )}
    </>
  );
}

function DepthCurve({
  layout: { area: box, x, y },
  side: { tone, places, before },
  isStep,
}: {
  readonly layout: DepthLayout;
  readonly side: DepthSide;
  readonly isStep: boolean;
}) {
  const curve = isStep ? curveStepAfter : curveLinear;
  const toX = ({ price }: DepthPlace) => x.toPixel(price);
  const toY = ({ size }: DepthPlace) => y.toPixel(size);
  const fill = area<DepthPlace>().x(toX).y0(box.bottom).y1(toY).curve(curve);
  const stroke = line<DepthPlace>().x(toX).y(toY).curve(curve);
  return (
    <g className={`chart--${tone}`}>
      <path className="chart__area" d={fill([...places]) ?? ''} />
      <path className="chart__line" d={stroke([...places]) ?? ''} />
      {before.length === 0 ? null : (
        <path className="chart__line chart__line--ghost" d={stroke([...before]) ?? ''} />
      )}
    </g>
  );
}

function layOutDepth({
  width,
  height,
  places,
  marked,
  formatPrice,
  formatSize,
}: {
  readonly width: number;
  readonly height: number;
  readonly places: readonly DepthPlace[];
  readonly marked: readonly number[];
  readonly formatPrice: ((price: number) => string) | undefined;
  readonly formatSize: ((size: number) => string) | undefined;
}): DepthLayout {
  const yRange = [0, computeRange([0, ...places.map(({ size }) => size)], 0.08)[1]] as const;
  const xRange = computeRange([...places.map(({ price }) => price), ...marked], 0.03);
  const count = Math.max(2, Math.round(height / 55));
  const labels = buildNumberAxis(yRange, [0, 1], count, formatSize).ticks.map(({ text }) => text);
  const box = computeChartArea(width, height, labels);
  return {
    area: box,
    x: buildNumberAxis(xRange, [box.left, box.right], Math.max(2, Math.round(width / 110)), formatPrice),
    y: buildNumberAxis(yRange, [box.bottom, box.top], count, formatSize),
  };
}
