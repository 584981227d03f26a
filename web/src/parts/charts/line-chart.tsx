import { curveLinear, curveStepAfter, line } from 'd3-shape';
import type { ReactNode } from 'react';
import { ChartAxes, type ChartArea, computeChartArea } from './axes.tsx';
import { ChartFrame } from './chart-frame.tsx';
import {
  buildNumberAxis,
  buildTimeAxis,
  type ChartAxis,
  computeRange,
  computeTimeRange,
  findNearest,
  formatChartTime,
} from './chart-scale.ts';

/** One line: its points from left to right. */
export interface ChartSeries {
  readonly name: string;
  readonly points: readonly ChartPoint[];
  /** Whether it is drawn thin, such as what was before. Default: false. */
  readonly thin?: boolean;
  /** The number of its colour, from 1. Default: its place among the lines. */
  readonly tone?: number;
}

/** A point of a line. `text` is the exact value; without it the coordinate is formatted. */
export interface ChartPoint {
  /** Milliseconds of the Unix epoch where the axis is of time. */
  readonly x: number;
  readonly y: number;
  readonly text?: string;
}

interface LineChartProps {
  /** The accessible name. */
  readonly label: string;
  readonly series: readonly ChartSeries[];
  /** Default: `time`. */
  readonly xKind?: 'time' | 'number';
  /** Whether a value holds until the next one. Default: false. */
  readonly step?: boolean;
  /** Whether zero is on the axis of values. Default: false. */
  readonly fromZero?: boolean;
  /** Formats a value of the left axis. Default: a plain number. */
  readonly formatY?: (value: number) => string;
  /** Formats where a value is. Default: the time in UTC. */
  readonly formatX?: (value: number) => string;
  /** What the values are, with their unit. */
  readonly yTitle?: string;
  readonly xTitle?: string;
  readonly height?: number;
  /** Said where there is no point yet. */
  readonly empty?: ReactNode;
}

/** Lines over time or over another number. At most six have colours of their own. */
export function LineChart({
  label,
  series,
  xKind = 'time',
  step = false,
  fromZero = false,
  formatY,
  formatX = xKind === 'time' ? formatChartTime : String,
  yTitle,
  xTitle,
  height = 240,
  empty = 'There is nothing to draw yet.',
}: LineChartProps) {
  const xs = [...new Set(series.flatMap(({ points }) => points.map(({ x }) => x)))].sort(
    (one, other) => one - other,
  );
  const ys = series.flatMap(({ points }) => points.map(({ y }) => y));
  const yRange = computeRange(fromZero ? [...ys, 0] : ys);
  const formatText = formatY ?? ((value: number) => String(Number(value.toPrecision(6))));
  const layOut = (width: number) => layOutLines({ width, height, xs, yRange, xKind, formatY });
  const toTexts = (index: number) =>
    series.map(({ points }) => formatPoint(findPoint(points, xs[index] ?? 0), formatText));
  return (
    <ChartFrame
      label={label}
      yTitle={yTitle}
      xTitle={xTitle}
      legend={
        series.length < 2
          ? []
          : series.map(({ name, tone, thin = false }, index) => ({ name, tone: toTone(index, tone), thin }))
      }
      height={height}
      isEmpty={xs.length === 0}
      empty={empty}
      table={{
        columns: [xKind === 'time' ? 'Time' : (xTitle ?? 'At'), ...series.map(({ name }) => name)],
        rows: xs.map((x, index) => [formatX(x), ...toTexts(index)]),
      }}
      positions={(width) => xs.map(layOut(width).x.toPixel)}
      toReadout={(index) =>
        `${formatX(xs[index] ?? 0)}: ${toTexts(index)
          .map((text, at) => (series.length < 2 ? text : `${series[at]?.name} ${text}`))
          .join(', ')}`
      }
    >
      {(width, index) => (
        <Lines
          layout={layOut(width)}
          series={series}
          step={step}
          at={index === null ? null : (xs[index] ?? null)}
        />
      )}
    </ChartFrame>
  );
}

interface LineLayout {
  readonly area: ChartArea;
  readonly x: ChartAxis;
  readonly y: ChartAxis;
}

function Lines({
  layout: { area, x, y },
  series,
  step,
  at,
}: {
  readonly layout: LineLayout;
  readonly series: readonly ChartSeries[];
  readonly step: boolean;
  readonly at: number | null;
}) {
  const draw = line<ChartPoint>()
    .x((point) => x.toPixel(point.x))
    .y((point) => y.toPixel(point.y))
    .defined((point) => Number.isFinite(point.y))
    .curve(step ? curveStepAfter : curveLinear);
  return (
    <>
      <ChartAxes area={area} x={x} y={y} />
      {at === null ? null : (
        <line
          className="chart__crosshair"
          x1={x.toPixel(at)}
          x2={x.toPixel(at)}
          y1={area.top}
          y2={area.bottom}
        />
      )}
      {series.map(({ name, points, thin = false, tone }, index) => {
        const chosen = at === null ? null : findPoint(points, at);
        const dot = isDrawn(chosen) ? chosen : null;
        return (
          <g key={name} className={`chart--${toTone(index, tone)}`}>
            <path
              className={thin ? 'chart__line chart__line--ghost' : 'chart__line'}
              d={draw(points) ?? ''}
            />
            {findLonePoints(points).map((point) => (
              <circle
                key={point.x}
                className="chart__dot"
                r={3}
                cx={x.toPixel(point.x)}
                cy={y.toPixel(point.y)}
              />
            ))}
            {dot === null ? null : (
              <circle className="chart__dot" r={5} cx={x.toPixel(at ?? dot.x)} cy={y.toPixel(dot.y)} />
            )}
          </g>
        );
      })}
    </>
  );
}

function layOutLines({
  width,
  height,
  xs,
  yRange,
  xKind,
  formatY,
}: {
  readonly width: number;
  readonly height: number;
  readonly xs: readonly number[];
  readonly yRange: readonly [number, number];
  readonly xKind: 'time' | 'number';
  readonly formatY: ((value: number) => string) | undefined;
}): LineLayout {
  const count = Math.max(2, Math.round(height / 55));
  const labels = buildNumberAxis(yRange, [0, 1], count, formatY).ticks.map(({ text }) => text);
  const area = computeChartArea(width, height, labels);
  const across = Math.max(2, Math.round(width / 110));
  const xRange = xKind === 'time' ? computeTimeRange(xs) : computeRange(xs, 0);
  const pixels = [area.left, area.right] as const;
  return {
    area,
    x: xKind === 'time' ? buildTimeAxis(xRange, pixels, across) : buildNumberAxis(xRange, pixels, across),
    y: buildNumberAxis(yRange, [area.bottom, area.top], count, formatY),
  };
}

/** A point without a value, such as a time without requests, interrupts its line. */
function isDrawn(point: ChartPoint | null | undefined): point is ChartPoint {
  return point != null && Number.isFinite(point.y);
}

/** Points between two interruptions: a line through one point would not be seen. */
function findLonePoints(points: readonly ChartPoint[]): readonly ChartPoint[] {
  return points.filter(
    (point, index) => isDrawn(point) && !isDrawn(points[index - 1]) && !isDrawn(points[index + 1]),
  );
}

/** Returns the point that holds at a place: the last one that is not behind it. */
function findPoint(points: readonly ChartPoint[], x: number): ChartPoint | null {
  const index = findNearest(
    points.map((point) => point.x),
    x,
  );
  if (index === null) return null;
  const nearest = points[index];
  return nearest !== undefined && nearest.x > x ? (points[index - 1] ?? null) : (nearest ?? null);
}

function formatPoint(point: ChartPoint | null, formatY: (value: number) => string): string {
  if (point === null) return 'none yet';
  return point.text ?? formatY(point.y);
}

function toTone(index: number, tone = index + 1): string {
  return `series-${((tone - 1) % 6) + 1}`;
}
