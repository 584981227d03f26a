import type { DepthCurve, DepthEnd } from '../../../market/pool-views/depth-curve.ts';
import type { PoolReport, PoolSummary } from '../../../market/pool-views/pool-views.ts';
import type { UnusablePool } from '../../../market/pools/liquidity.ts';
import type { Address } from '../../../solana/address.ts';
import type { PortalPools, ShownToken } from './portal-pools.ts';

/** A token of a pool. */
interface PoolTokenJson extends ShownToken {
  readonly mint: Address;
}

type PoolTokensJson = readonly [PoolTokenJson, PoolTokenJson];

/** A pool of a list. */
export interface PoolRowJson {
  readonly address: Address;
  readonly venue: string;
  /** Null for a pool that cannot be read. */
  readonly pair: PoolTokensJson | null;
  /** US dollars. */
  readonly liquidity: number | null;
  /** Whole second tokens for a whole first one; also null while the decimals of a token are not known. */
  readonly price: number | null;
  /** A share. */
  readonly fee: number | null;
  readonly change: { readonly slot: string; readonly at: number } | null;
  /** Why routes cannot use it; null if they can. */
  readonly unusable: string | null;
}

interface DepthCurveJson {
  readonly inputMint: Address;
  /** Whole tokens of the output for a whole one of the input. */
  readonly marginalPrice: number;
  readonly end: DepthEnd;
  readonly points: readonly {
    readonly inAmount: string;
    readonly outAmount: string;
    readonly price: number;
    /** The share by which the price is worse than that of the smallest amount. */
    readonly impact: number;
  }[];
}

/** All that a page shows of a pool. */
export interface PoolJson extends PoolRowJson {
  readonly program: Address | null;
  readonly vaults: readonly [Address, Address] | null;
  readonly reserves: readonly [string, string] | null;
  /** What it could pay out of each token, by estimate. */
  readonly paidOut: readonly [string, string] | null;
  readonly openedAt: string | null;
  readonly isShortLived: boolean;
  readonly slot: string | null;
  readonly feedPrice: number | null;
  readonly marketPrice: number | null;
  readonly depth: {
    readonly revision: number;
    readonly curves: readonly [DepthCurveJson, DepthCurveJson];
  } | null;
}

/** Returns the row of a pool that routes can use. */
export function toPoolRow(summary: PoolSummary, { showToken }: PortalPools): PoolRowJson {
  const { address, venue, mints, dollars, price, feeShare, change } = summary;
  const pair = [
    { mint: mints[0], ...showToken(mints[0]) },
    { mint: mints[1], ...showToken(mints[1]) },
  ] as const;
  return {
    address,
    venue,
    pair,
    liquidity: dollars,
    price: scalePrice(price, findUnit(pair)),
    fee: feeShare,
    change: change === null ? null : { slot: change.slot.toString(), at: change.at },
    unusable: null,
  };
}

/** Returns the row of a pool that routes cannot use. */
export function toUnusableRow({ address, venue, reason }: UnusablePool): PoolRowJson {
  return {
    address,
    venue,
    pair: null,
    liquidity: null,
    price: null,
    fee: null,
    change: null,
    unusable: reason,
  };
}

/** Returns what a page shows of a pool. */
export function toPoolJson(found: PoolReport | UnusablePool, pools: PortalPools): PoolJson {
  if ('reason' in found)
    return {
      ...toUnusableRow(found),
      program: null,
      vaults: null,
      reserves: null,
      paidOut: null,
      openedAt: null,
      isShortLived: false,
      slot: null,
      feedPrice: null,
      marketPrice: null,
      depth: null,
    };
  const row = toPoolRow(found, pools);
  const unit = row.pair === null ? null : findUnit(row.pair);
  const { program, vaults, reserves, paidOut, openedAt, isShortLived, clock } = found;
  const [first, second] = found.depth.curves;
  return {
    ...row,
    program,
    vaults,
    reserves: reserves === null ? null : [reserves[0].toString(), reserves[1].toString()],
    paidOut: paidOut === null ? null : [toWholeText(paidOut[0]), toWholeText(paidOut[1])],
    openedAt: openedAt?.toString() ?? null,
    isShortLived,
    slot: clock.slot.toString(),
    feedPrice: scalePrice(found.feedPrice, unit),
    marketPrice: scalePrice(found.marketPrice, unit),
    depth:
      unit === null
        ? null
        : {
            revision: found.depth.revision,
            curves: [toCurveJson(first, unit), toCurveJson(second, 1 / unit)],
          },
  };
}

/** @param unit - Whole tokens of the output for one of the input, where an atom is paid for an atom. */
function toCurveJson({ inputMint, marginalPrice, end, points }: DepthCurve, unit: number): DepthCurveJson {
  return {
    inputMint,
    marginalPrice: marginalPrice * unit,
    end,
    points: points.map(({ inAmount, outAmount }) => {
      const price = Number(outAmount) / Number(inAmount);
      return {
        inAmount: inAmount.toString(),
        outAmount: outAmount.toString(),
        price: price * unit,
        impact: marginalPrice > 0 ? Math.max(0, 1 - price / marginalPrice) : 0,
      };
    }),
  };
}

/** Whole second tokens for a whole first one, where an atom is paid for an atom; null while decimals are not known. */
function findUnit([{ decimals: first }, { decimals: second }]: PoolTokensJson): number | null {
  return first === null || second === null ? null : 10 ** (first - second);
}

function scalePrice(price: number | null, unit: number | null): number | null {
  return price === null || unit === null ? null : price * unit;
}

function toWholeText(amount: number): string {
  return BigInt(Math.floor(amount)).toString();
}
