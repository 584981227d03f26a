import { type ChartAxis, type ChartTick, measureLabels } from './chart-scale.ts';

/** The edges of the area in which values are drawn, in pixels. */
export interface ChartArea {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Pixels below the area for the labels of the lower axis. */
const LABELS_HEIGHT = 24;
const TOP = 8;
const GAP = 8;

/** Returns the area of a drawing whose left axis has labels of that length. */
export function computeChartArea(width: number, height: number, labels: readonly string[]): ChartArea {
  return {
    left: Math.min(measureLabels(labels) + GAP, width / 3),
    right: width - GAP,
    top: TOP,
    bottom: height - LABELS_HEIGHT,
  };
}

/** The lines of the left axis and the labels of both. */
export function ChartAxes({
  area,
  x,
  y,
}: {
  readonly area: ChartArea;
  readonly x: ChartAxis;
  readonly y: ChartAxis;
}) {
  return (
    <g>
      {y.ticks.map(({ at, text }) => (
        <g key={`y${at}`}>
          <line className="chart__grid" x1={area.left} x2={area.right} y1={at} y2={at} />
          <text x={area.left - 6} y={at} textAnchor="end" dominantBaseline="middle">
            {text}
          </text>
        </g>
      ))}
      {selectApart(x.ticks, area).map(({ at, text, align }) => (
        <text key={`x${at}`} x={at} y={area.bottom + 17} textAnchor={align}>
          {text}
        </text>
      ))}
    </g>
  );
}

/** Returns the labels that have room between each other. */
function selectApart(ticks: readonly ChartTick[], area: ChartArea) {
  let end = Number.NEGATIVE_INFINITY;
  return ticks.flatMap((tick) => {
    const align = alignLabel(tick.at, tick.text, area);
    const width = measureLabels([tick.text]);
    const start = tick.at - { start: 0, middle: width / 2, end: width }[align];
    if (start < end + GAP) return [];
    end = start + width;
    return [{ ...tick, align }];
  });
}

/** A label that would pass the edge of the drawing begins or ends at its line. */
function alignLabel(at: number, text: string, area: ChartArea): 'start' | 'middle' | 'end' {
  const half = measureLabels([text]) / 2;
  if (at + half > area.right + GAP) return 'end';
  return at - half < 0 ? 'start' : 'middle';
}
