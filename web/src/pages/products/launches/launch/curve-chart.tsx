import type { KnownTokens } from '../../../../api/known-tokens.ts';
import { formatBriefUnits } from '../../../../base/format-brief.ts';
import { LineChart } from '../../../../parts/charts/line-chart.tsx';
import { CURVE_PRICE_PLACES, type CurvePointView, type CurveView } from '../model/parse-launches.ts';
import { formatCurvePrice } from './curve-facts.tsx';

/** The price of a launched token over how much of it has been sold. The part that is behind has a line of its own. */
export function CurveChart({
  mint,
  curve,
  tokens,
}: {
  readonly mint: string;
  readonly curve: CurveView;
  readonly tokens: KnownTokens;
}) {
  const { now, points, quoteMint, decimals } = curve;
  const quoteDecimals = tokens.findMarket(quoteMint).decimals ?? 0;
  const toPoint = ({ sold, price }: CurvePointView) => ({
    x: Number(sold) / 10 ** decimals,
    y: Number(price) / 10 ** (CURVE_PRICE_PLACES + quoteDecimals),
    text: formatCurvePrice(price, quoteMint, tokens),
  });
  const behind = [...points.filter(({ sold }) => sold < now.sold), now].map(toPoint);
  const ahead = [now, ...points.filter(({ sold }) => sold > now.sold)].map(toPoint);
  return (
    <LineChart
      label={`The price of ${tokens.getSymbol(mint)} over what is sold`}
      xKind="number"
      fromZero
      series={[
        { name: 'sold', points: behind },
        { name: 'still to be sold', points: ahead },
      ]}
      xTitle={`${tokens.getSymbol(mint)} sold`}
      yTitle={`${tokens.getSymbol(quoteMint)} for one`}
      formatX={(value) => formatBriefUnits(BigInt(Math.round(value)), 0)}
    />
  );
}
