import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useInstance } from '../../../../api/instance.ts';
import { ChoiceBar } from '../../../../parts/choice-bar.tsx';
import { Button } from '../../../../parts/button.tsx';
import { DepthChart } from '../../../../parts/charts/depth-chart.tsx';
import { Panel } from '../../../../parts/page.tsx';
import { usePageSearch } from '../../../../parts/page-search.ts';
import { formatBriefUnits, formatRate } from '../../../../base/format-brief.ts';
import { formatUtcTime } from '../../../../base/format-time.ts';
import { formatDistance, formatNumber } from '../data/format-price.ts';
import { type OrientedPool, orientPrice } from '../data/orient-pool.ts';
import type { PoolDetails } from '../data/pool-shape.ts';
import { cutSides, type PoolDepthPoint, toPoolSides } from './depth-points.ts';

/** How far from the price places are shown, as texts of the address, and as shares. */
const SPANS = [
  ['1', 'within 1%'],
  ['10', 'within 10%'],
  ['all', 'all'],
] as const;
type Span = (typeof SPANS)[number][0];

/** What the pool was when the page was opened, or since the reader wanted to compare with. */
interface SeenPool {
  readonly pool: PoolDetails;
  readonly at: number;
}

/** How much the pool swaps at which price, against what it did when the page was opened. */
export function DepthPanel({
  pool,
  at,
  oriented,
}: {
  readonly pool: PoolDetails;
  /** When the pool was read, in Unix milliseconds. */
  readonly at: number;
  readonly oriented: OrientedPool;
}) {
  const [search, changeSearch] = usePageSearch();
  const [seen, setSeen] = useState<SeenPool>({ pool, at });
  // A network that began again has nothing to do with what it was.
  if ((pool.slot ?? 0n) < (seen.pool.slot ?? 0n)) setSeen({ pool, at });
  const { base, quote } = oriented;
  const span: Span = SPANS.find(([name]) => name === search.span)?.[0] ?? '10';
  const price = orientPrice(pool.price, oriented);
  const share = span === 'all' ? null : Number(span) / 100;
  const sides = toPoolSides(pool, oriented, price);
  const { bids, asks } = cutSides(sides, price, share);
  const seenPrice = orientPrice(seen.pool.price, oriented);
  const hasMoved = seen.pool.depth?.revision !== pool.depth?.revision;
  const previous = hasMoved ? cutSides(toPoolSides(seen.pool, oriented, seenPrice), seenPrice, share) : null;
  const markers = listMarkers(pool, oriented);
  return (
    <Panel
      title="Depth"
      aside={
        <ChoiceBar
          label="How far from the price"
          choices={SPANS}
          chosen={span}
          onChoose={(chosen) => changeSearch({ span: chosen })}
        />
      }
    >
      <DepthChart
        label={`Depth of ${base.symbol} in ${quote.symbol}: what the pool pays for it, and takes for it`}
        priceLabel={`${quote.symbol} for one ${base.symbol}, for the whole amount`}
        sizeLabel={`${base.symbol} swapped`}
        formatPrice={formatNumber}
        formatSize={formatNumber}
        bids={bids}
        asks={asks}
        previous={previous}
        markers={markers}
        table={{
          columns: ['Side', base.symbol, quote.symbol, `${quote.symbol} for one`, 'From the price'],
          rows: [
            ...bids.map((point) => toTableRow('sell', point, oriented, price)),
            ...asks.map((point) => toTableRow('buy', point, oriented, price)),
          ],
        }}
        empty={
          sides.bids.length + sides.asks.length === 0
            ? 'The pool swaps nothing now: its program would refuse every amount.'
            : 'Nothing is swapped this near to the price. Choose a wider range.'
        }
      />
      {hasMoved && seenPrice !== null && price !== null ? (
        <p className="pool-depth__before">
          The thin line is the depth of {formatUtcTime(seen.at)}, at {formatNumber(seenPrice)} {quote.symbol}.
          The price is {formatDistance(price, seenPrice).replace('the price', 'it')} now.{' '}
          <Button kind="quiet" onClick={() => setSeen({ pool, at })}>
            Compare with now
          </Button>
        </p>
      ) : null}
      {pool.feedPrice !== null && pool.price !== null && isFar(pool.price, pool.feedPrice) ? (
        <FollowerNote />
      ) : null}
    </Panel>
  );
}

/** From this share on, a pool is not only its fee away from the feed. */
const FAR = 0.02;

function isFar(price: number, feed: number): boolean {
  return Math.abs(price / feed - 1) > FAR;
}

/** Says why a moved price does not show in the pool. */
function FollowerNote() {
  const { data: instance } = useInstance();
  return (
    <p className="pool-depth__before">
      The pool is far from the price feed. Pools follow the feeds of the embedded network while its price
      follower runs
      {instance?.controls === true ? (
        <>
          , which is switched on in <Link to="/controls">Controls</Link>.
        </>
      ) : (
        ', which the operator switches on.'
      )}
    </p>
  );
}

/** The price of the feed, or that of the market where no feed is known. */
function listMarkers(
  { feedPrice, marketPrice }: PoolDetails,
  oriented: OrientedPool,
): readonly { readonly price: number; readonly label: string }[] {
  const feed = orientPrice(feedPrice, oriented);
  const market = orientPrice(marketPrice, oriented);
  if (feed !== null) return [{ price: feed, label: 'price feed' }];
  return market === null ? [] : [{ price: market, label: 'market' }];
}

function toTableRow(
  side: string,
  { baseAmount, quoteAmount, price: paid }: PoolDepthPoint,
  { base, quote }: OrientedPool,
  price: number | null,
): readonly string[] {
  return [
    side,
    formatBriefUnits(baseAmount, base.decimals),
    formatBriefUnits(quoteAmount, quote.decimals),
    formatRate(
      { raw: baseAmount, decimals: base.decimals },
      { raw: quoteAmount, decimals: quote.decimals },
    ) ?? '–',
    price === null ? '–' : formatDistance(paid, price),
  ];
}
