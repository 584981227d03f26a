import type { ReactNode } from 'react';
import { ChartAxes, type ChartArea, computeChartArea } from './axes.tsx';
import { ChartFrame } from './chart-frame.tsx';
import {
  buildNumberAxis,
  buildTimeAxis,
  type ChartAxis,
  computeRange,
  formatChartTime,
} from './chart-scale.ts';

/** The prices of one interval. The texts are the exact values. */
export interface Candle {
  /** The beginning, in milliseconds of the Unix epoch. */
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** What was traded, in any unit. */
  readonly volume?: number;
  readonly texts: {
    readonly open: string;
    readonly high: string;
    readonly low: string;
    readonly close: string;
    readonly volume?: string;
  };
}

interface CandleChartProps {
  /** The accessible name. */
  readonly label: string;
  /** From the oldest to the newest. */
  readonly candles: readonly Candle[];
  /** Milliseconds of one interval. */
  readonly intervalMs: number;
  readonly formatPrice?: (price: number) => string;
  /** What the left axis shows, with its unit. */
  readonly priceLabel: string;
  readonly height?: number;
  readonly empty?: ReactNode;
}

/** The share of the height that the bars of volume have at most. */
const VOLUME_SHARE = 0.18;
const MAX_CANDLE_WIDTH = 24;

/** Prices by interval: from the lowest to the highest, and from the first to the last. Hollow ones rose, filled ones fell. */
export function CandleChart({
  label,
  candles,
  intervalMs,
  formatPrice,
  priceLabel,
  height = 320,
  empty = 'There are no prices of this time.',
}: CandleChartProps) {
  const layOut = (width: number) => layOutCandles(width, height, candles, intervalMs, formatPrice);
  const hasVolume = candles.some(({ volume }) => volume !== undefined);
  return (
    <ChartFrame
      label={label}
      yTitle={priceLabel}
      legend={[
        { name: 'rose (hollow)', tone: 'good' },
        { name: 'fell (filled)', tone: 'bad' },
        ...(hasVolume ? [{ name: 'volume', tone: 'series-6' }] : []),
      ]}
      height={height}
      isEmpty={candles.length === 0}
      empty={empty}
      table={{
        columns: ['Time', 'Open', 'High', 'Low', 'Close', ...(hasVolume ? ['Volume'] : [])],
        rows: candles.map(({ time, texts }) => [
          formatChartTime(time),
          texts.open,
          texts.high,
          texts.low,
          texts.close,
          ...(hasVolume ? [texts.volume ?? ''] : []),
        ]),
      }}
      positions={(width) => candles.map(({ time }) => layOut(width).x.toPixel(time + intervalMs / 2))}
      toReadout={(index) => describeCandle(candles[index])}
    >
      {(width, index) => (
        <Candles layout={layOut(width)} candles={candles} intervalMs={intervalMs} index={index} />
      )}
    </ChartFrame>
  );
}

interface CandleLayout {
  readonly area: ChartArea;
  readonly x: ChartAxis;
  readonly y: ChartAxis;
  readonly volume: ChartAxis;
}

function Candles({
  layout: { area, x, y, volume },
  candles,
  intervalMs,
  index,
}: {
  readonly layout: CandleLayout;
  readonly candles: readonly Candle[];
  readonly intervalMs: number;
  readonly index: number | null;
}) {
  const slot = x.toPixel(intervalMs) - x.toPixel(0);
  const width = Math.max(1, Math.min(slot * 0.7, MAX_CANDLE_WIDTH));
  const chosen = index === null ? undefined : candles[index];
  const toMiddle = ({ time }: Candle) => x.toPixel(time + intervalMs / 2);
  return (
    <>
      <ChartAxes area={area} x={x} y={y} />
      {candles.map((candle) => {
        const middle = toMiddle(candle);
        const [top, bottom] = [
          y.toPixel(Math.max(candle.open, candle.close)),
          y.toPixel(Math.min(candle.open, candle.close)),
        ];
        const isUp = candle.close >= candle.open;
        return (
          <g key={candle.time}>
            {candle.volume === undefined ? null : (
              <rect
                className="chart__volume"
                x={middle - width / 2}
                width={width}
                y={volume.toPixel(candle.volume)}
                height={Math.max(0, area.bottom - volume.toPixel(candle.volume))}
              />
            )}
            <g className={`chart__candle chart__candle--${isUp ? 'up chart--good' : 'down chart--bad'}`}>
              <line x1={middle} x2={middle} y1={y.toPixel(candle.high)} y2={y.toPixel(candle.low)} />
              <rect x={middle - width / 2} width={width} y={top} height={Math.max(1, bottom - top)} />
            </g>
          </g>
        );
      })}
      {chosen === undefined ? null : (
        <line
          className="chart__crosshair"
          x1={toMiddle(chosen)}
          x2={toMiddle(chosen)}
          y1={area.top}
          y2={area.bottom}
        />
      )}
    </>
  );
}

function describeCandle(candle: Candle | undefined): string {
  if (candle === undefined) return '';
  const { open, high, low, close, volume } = candle.texts;
  const traded = volume === undefined ? '' : `, volume ${volume}`;
  return `${formatChartTime(candle.time)}: open ${open}, high ${high}, low ${low}, close ${close}${traded}`;
}

function layOutCandles(
  width: number,
  height: number,
  candles: readonly Candle[],
  intervalMs: number,
  formatPrice: ((price: number) => string) | undefined,
): CandleLayout {
  const yRange = computeRange(candles.flatMap(({ high, low }) => [high, low]));
  const count = Math.max(2, Math.round(height / 55));
  const labels = buildNumberAxis(yRange, [0, 1], count, formatPrice).ticks.map(({ text }) => text);
  const area = computeChartArea(width, height, labels);
  const times = candles.map(({ time }) => time);
  const first = times[0] ?? 0;
  const last = times.at(-1) ?? 0;
  const most = Math.max(0, ...candles.map(({ volume = 0 }) => volume));
  const room = area.bottom - (area.bottom - area.top) * VOLUME_SHARE;
  return {
    area,
    x: buildTimeAxis(
      [first, last + intervalMs],
      [area.left, area.right],
      Math.max(2, Math.round(width / 110)),
    ),
    y: buildNumberAxis(yRange, [most === 0 ? area.bottom : room, area.top], count, formatPrice),
    volume: buildNumberAxis([0, most === 0 ? 1 : most], [area.bottom, room], 2),
  };
}
