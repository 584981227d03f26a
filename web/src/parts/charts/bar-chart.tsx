import type { ReactNode } from 'react';
import { ChartAxes, computeChartArea } from './axes.tsx';
import { ChartFrame } from './chart-frame.tsx';
import { buildNumberAxis } from './chart-scale.ts';

/** One bar, such as a bucket of a histogram. */
export interface ChartBar {
  /** Stands below the bar, so it is short: `≤ 50 ms`. */
  readonly name: string;
  readonly value: number;
  /** The exact value, with its unit. */
  readonly text: string;
  readonly tone?: 'series-1' | 'series-2' | 'series-6' | 'good' | 'bad' | 'warning';
}

/** Bars beside each other, in the order that they are given: a histogram, or counts over time. */
export function BarChart({
  label,
  bars,
  yTitle,
  xTitle,
  nameTitle = 'Bucket',
  valueTitle = 'Value',
  height = 220,
  formatY,
  empty = 'There is nothing to count yet.',
}: {
  /** The accessible name. */
  readonly label: string;
  readonly bars: readonly ChartBar[];
  readonly yTitle?: string;
  readonly xTitle?: string;
  /** The headings of the table. */
  readonly nameTitle?: string;
  readonly valueTitle?: string;
  readonly height?: number;
  readonly formatY?: (value: number) => string;
  readonly empty?: ReactNode;
}) {
  const most = Math.max(0, ...bars.map(({ value }) => value));
  const range = [0, most > 0 ? most * 1.06 : 1] as const;
  const count = Math.max(2, Math.round(height / 55));
  const labels = buildNumberAxis(range, [0, 1], count, formatY).ticks.map(({ text }) => text);
  const layOut = (width: number) => {
    const area = computeChartArea(width, height, labels);
    const slot = (area.right - area.left) / Math.max(bars.length, 1);
    const middles = bars.map((_, index) => area.left + slot * (index + 0.5));
    return { area, slot, middles, y: buildNumberAxis(range, [area.bottom, area.top], count, formatY) };
  };
  return (
    <ChartFrame
      label={label}
      yTitle={yTitle}
      xTitle={xTitle}
      height={height}
      isEmpty={bars.length === 0}
      empty={empty}
      table={{ columns: [nameTitle, valueTitle], rows: bars.map(({ name, text }) => [name, text]) }}
      positions={(width) => layOut(width).middles}
      toReadout={(index) => `${bars[index]?.name}: ${bars[index]?.text}`}
    >
      {(width, index) => {
        const { area, slot, middles, y } = layOut(width);
        const every = Math.ceil(measureNames(bars) / slot);
        const ticks = bars.flatMap(({ name }, at) =>
          at % every === 0 ? [{ at: middles[at] ?? 0, text: name }] : [],
        );
        return (
          <>
            <ChartAxes area={area} x={{ toPixel: Number, toValue: Number, ticks }} y={y} />
            {bars.map(({ name, value, tone = 'series-1' }, at) => (
              <rect
                key={name}
                className={`chart__bar chart--${tone}`}
                x={(middles[at] ?? 0) - slot * 0.36}
                width={Math.max(1, slot * 0.72)}
                y={y.toPixel(Math.max(value, 0))}
                height={Math.max(0, area.bottom - y.toPixel(Math.max(value, 0)))}
                opacity={index === null || index === at ? 1 : 0.55}
              />
            ))}
          </>
        );
      }}
    </ChartFrame>
  );
}

/** Pixels that the longest name takes, with a gap. */
function measureNames(bars: readonly ChartBar[]): number {
  return Math.max(1, ...bars.map(({ name }) => name.length * 7 + 8));
}
