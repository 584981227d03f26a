import { MICRO_PER_CONTRACT } from '../../exchange/exchange.ts';
import type {
  OpenPredictionPosition,
  PostedPredictionResult,
  PredictionAccounts,
  PredictionEvents,
  PredictionExchange,
  PredictionMarket,
} from '../prediction.ts';
import { isOpenForTrading } from './market-state.ts';
import type { PredictionPositionLists, ValuedPosition } from './prediction-lists.ts';

export interface PositionValueOptions {
  readonly events: Pick<PredictionEvents, 'findEvent' | 'findMarketByHash'>;
  readonly accounts: Pick<PredictionAccounts, 'findResult'>;
  readonly exchange: Pick<PredictionExchange, 'getPrices'>;
  /** Returns the Unix second of the network. */
  readonly now: () => bigint;
}

/** The outcomes by which both sides of a market are paid. */
const SPLIT = 2;
const REFUND = 3;

/** The part of a result by which positions are valued. */
type KnownResult = Pick<PostedPredictionResult, 'outcome' | 'settlementTime' | 'claimsEnabled'>;

/** Returns the result of a forecast, which is paid out without a claim. A void one pays half to both sides. */
function toForecastResult({ status, result, resolvedAt }: PredictionMarket): KnownResult | null {
  if (resolvedAt === null) return null;
  const outcome = status === 'cancelled' ? SPLIT : result === 'yes' ? 1 : 0;
  return { outcome, settlementTime: BigInt(resolvedAt), claimsEnabled: false };
}

/** Creates what computes the worth of positions. */
export function createPositionLists(options: PositionValueOptions): PredictionPositionLists {
  return { valuePosition: (position) => valuePosition(position, options) };
}

function valuePosition(
  position: OpenPredictionPosition,
  { events, accounts, exchange, now }: PositionValueOptions,
): ValuedPosition | null {
  const { marketIdHash, contracts, totalCost, feesPaid, isYes } = position;
  const market = events.findMarketByHash(marketIdHash);
  const event = market === null ? null : events.findEvent(market.eventId);
  if (market === null || event === null) return null;
  const second = now();
  const prices = isOpenForTrading(market, Number(second)) ? exchange.getPrices(market.marketId) : null;
  const sellPrice = (isYes ? prices?.sellYes : prices?.sellNo) ?? null;
  const result = market.forecast === null ? accounts.findResult(marketIdHash) : toForecastResult(market);
  const isPaid = result !== null && contracts > 0n && paysSide(result, isYes);
  const payout = computePayout(position, result);
  const traded = sellPrice === null ? null : (contracts * sellPrice) / MICRO_PER_CONTRACT;
  const value = result === null ? traded : isPaid ? payout : 0n;
  const pnl = value === null ? null : value - totalCost;
  const pnlAfterFees = pnl === null ? null : pnl - feesPaid;
  return {
    position,
    event,
    market,
    value,
    markPrice: sellPrice,
    sellPrice,
    averagePrice: contracts === 0n ? 0n : (totalCost * MICRO_PER_CONTRACT) / contracts,
    pnl,
    pnlPercent: toPercent(pnl, totalCost),
    pnlAfterFees,
    pnlAfterFeesPercent: toPercent(pnlAfterFees, totalCost),
    payout,
    isClaimable: isPaid && result.claimsEnabled && result.settlementTime <= second && !position.isClaimed,
    claimableAt: isPaid && market.forecast === null ? Number(result.settlementTime) : null,
  };
}

function paysSide({ outcome }: KnownResult, isYes: boolean): boolean {
  return outcome === SPLIT || outcome === REFUND || (outcome === 1) === isYes;
}

function computePayout({ contracts, totalCost }: OpenPredictionPosition, result: KnownResult | null): bigint {
  // A contract pays 1,000,000 micro USD, and one has 1,000,000 micro-contracts.
  if (result?.outcome === SPLIT) return contracts / 2n;
  return result?.outcome === REFUND ? totalCost : contracts;
}

/** Returns hundredths of a percent at most, cut off; 0 of nothing. */
function toPercent(part: bigint | null, whole: bigint): number | null {
  if (part === null) return null;
  return whole === 0n ? 0 : Number((part * 10_000n) / whole) / 100;
}
