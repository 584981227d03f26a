import { formatDollars, formatShare } from '../../../base/format-dollars.ts';
import { computeShare } from '../../../base/fixed-point.ts';
import { ShareBar } from '../../../parts/charts/share-bar.tsx';
import type { AllocationShare, PortfolioView } from './model/portfolio-view.ts';

/** How a portfolio is divided, by platform and by token. */
export function Allocation({ view: { byPlatform, byToken } }: { readonly view: PortfolioView }) {
  return (
    <div className="portfolio-charts">
      <section>
        <h3 className="portfolio-charts__title">By platform</h3>
        <ShareBar
          label="Shares of platforms"
          parts={toParts(byPlatform)}
          empty="Nothing has a known value."
        />
      </section>
      <section>
        <h3 className="portfolio-charts__title">By token, before debt</h3>
        <ShareBar label="Shares of tokens" parts={toParts(byToken)} empty="No token has a known value." />
      </section>
    </div>
  );
}

function toParts(shares: readonly AllocationShare[]) {
  const whole = shares.reduce((sum, { value }) => sum + value, 0n);
  return shares.map(({ label, value }) => ({
    key: label,
    name: label,
    value: Number(value) / 1e9,
    text: formatDollars(value),
    share: formatShare(computeShare(value, whole) ?? 0n),
  }));
}
