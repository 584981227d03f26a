import type { DepthPlace, DepthPoint } from '../../../../parts/charts/depth-chart.tsx';
import { formatBriefUnits, formatRate } from '../../../../base/format-brief.ts';
import type { OrientedPool } from '../data/orient-pool.ts';
import { formatDistance } from '../data/format-price.ts';
import type { PoolCurve, PoolDetails, PoolToken } from '../data/pool-shape.ts';

/** One amount of a side, with the exact amounts that it stands for. */
export interface PoolDepthPoint extends DepthPoint {
  /** Of the base token. */
  readonly baseAmount: bigint;
  /** Of the quote token. */
  readonly quoteAmount: bigint;
}

/** Both sides of a pool's depth: what it pays for the base token, and what it takes for it. */
export interface PoolSides {
  readonly bids: readonly PoolDepthPoint[];
  readonly asks: readonly PoolDepthPoint[];
}

/**
 * Turns the curves of a pool into the sides of a depth chart. The price of a place is what the whole amount is swapped for on
 * average, which is what the pool quotes.
 *
 * @param price - Of the base token in the quote token, which distances are measured from; null: none is known.
 */
export function toPoolSides(
  { depth }: Pick<PoolDetails, 'depth'>,
  { base, quote }: Pick<OrientedPool, 'base' | 'quote'>,
  price: number | null,
): PoolSides {
  const find = (token: PoolToken) => depth?.curves.find(({ inputMint }) => inputMint === token.mint);
  return {
    bids: toSide(find(base), ({ inAmount, outAmount, price: paid }) =>
      describePlace('Selling', inAmount, outAmount, paid, { base, quote, price }),
    ),
    asks: toSide(find(quote), ({ inAmount, outAmount, price: paid }) =>
      describePlace('Buying', outAmount, inAmount, 1 / paid, { base, quote, price }),
    ),
  };
}

function toSide(
  curve: PoolCurve | undefined,
  toPoint: (point: PoolCurve['points'][number]) => PoolDepthPoint,
): readonly PoolDepthPoint[] {
  return (curve?.points ?? [])
    .filter(({ inAmount, outAmount, price }) => inAmount > 0n && outAmount > 0n && price > 0)
    .map(toPoint);
}

function describePlace(
  verb: 'Selling' | 'Buying',
  baseAmount: bigint,
  quoteAmount: bigint,
  paid: number,
  { base, quote, price }: Pick<OrientedPool, 'base' | 'quote'> & { readonly price: number | null },
): PoolDepthPoint {
  const amount = `${formatBriefUnits(baseAmount, base.decimals)} ${base.symbol}`;
  const total = `${formatBriefUnits(quoteAmount, quote.decimals)} ${quote.symbol}`;
  const rate = formatRate(
    { raw: baseAmount, decimals: base.decimals },
    { raw: quoteAmount, decimals: quote.decimals },
  );
  const each = rate === null ? '' : `: ${rate} ${quote.symbol} for one`;
  const distance = price === null ? '' : `, ${formatDistance(paid, price)}`;
  return {
    price: paid,
    size: Number(baseAmount) / 10 ** base.decimals,
    readout: `${verb} ${amount} ${verb === 'Selling' ? 'gets' : 'takes'} ${total}${each}${distance}.`,
    baseAmount,
    quoteAmount,
  };
}

/** Returns the places of both sides whose prices are within a share of a price. */
export function cutSides<Place extends DepthPlace>(
  { bids, asks }: { readonly bids: readonly Place[]; readonly asks: readonly Place[] },
  price: number | null,
  span: number | null,
): { readonly bids: readonly Place[]; readonly asks: readonly Place[] } {
  if (price === null || span === null) return { bids, asks };
  const isNear = (place: Place) => Math.abs(place.price / price - 1) <= span;
  return { bids: bids.filter(isNear), asks: asks.filter(isNear) };
}
