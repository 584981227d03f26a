import type { PredictionHistoryStep } from '../../predictions/store/history-steps.ts';
import type {
  ForecastPaidOut,
  ForecastRoundOpened,
  ForecastSwapped,
} from '../../protocols/bisonfi-forecast/forecast-events.ts';
import { deriveForecastSide } from '../../protocols/bisonfi-forecast/forecast-program.ts';
import type { Address } from '../../solana/address.ts';
import type { ForecastRoundFacts } from '../events/forecast-event.ts';
import { deriveForecastHash, toForecastMarketId } from '../events/forecast-ids.ts';
import type { ForecastSide } from '../forecast.ts';
import type { RecordedCost } from './cost-records.ts';
import type { ForecastStep } from './followed-forecasts.ts';
import type { RealizedTokens } from './traded-cost.ts';

const MICRO_PER_TOKEN = 1_000_000n;

/** What all rows of rounds have in common: there is no order, no keeper and no limit, and yes means the side itself. */
const COMMON = {
  order: '',
  keeper: '',
  externalOrderId: '',
  orderId: '',
  isBuy: false,
  isYes: true,
  contracts: 0n,
  filledContracts: 0n,
  settledContracts: 0n,
  limitPrice: 0n,
  averageFillPrice: 0n,
  deposit: 0n,
  totalCost: 0n,
  fee: 0n,
  integratorFee: 0n,
  grossProceeds: 0n,
  netProceeds: 0n,
  transferred: null,
  realizedPnl: null,
  realizedPnlBeforeFees: null,
  payout: 0n,
  rawStatus: '',
} as const;

/** Returns the round that an event has opened. */
export function toOpenedRound(event: ForecastRoundOpened): ForecastRoundFacts {
  const { round, feed, asset, seconds, openPrice, exponent, upMint, downMint } = event;
  return {
    address: round,
    feed,
    asset,
    seconds,
    openAt: Number(event.openTime),
    closeAt: Number(event.closeTime),
    openPrice,
    exponent,
    closePrice: null,
    outcome: null,
    settledAt: 0,
    up: { mint: upMint, pool: deriveForecastSide(round, 'up').address },
    down: { mint: downMint, pool: deriveForecastSide(round, 'down').address },
  };
}

/** Returns the row of a purchase. It is that of whoever pays, whoever gets the tokens. */
export function toPurchaseStep(event: ForecastSwapped, step: ForecastStep): PredictionHistoryStep {
  const { authority, contracts, usdc } = event;
  return {
    ...toTradeStep(event, step),
    owner: authority,
    isBuy: true,
    deposit: usdc,
    totalCost: usdc,
    averageFillPrice: averagePrice(usdc, contracts),
  };
}

/** Returns the row of a sale. */
export function toSaleStep(
  event: ForecastSwapped,
  step: ForecastStep,
  { cost, pnl }: RealizedTokens,
): PredictionHistoryStep {
  const { contracts, usdc } = event;
  return {
    ...toTradeStep(event, step),
    totalCost: cost,
    grossProceeds: usdc,
    netProceeds: usdc,
    averageFillPrice: averagePrice(usdc, contracts),
    realizedPnl: pnl,
    realizedPnlBeforeFees: pnl,
  };
}

/** What a payout comes to, with what it realizes before and after the fee for an account that it had to open. */
export interface RealizedPayout {
  readonly gross: bigint;
  readonly cost: bigint;
  readonly pnl: bigint;
  readonly pnlBeforeFees: bigint;
}

/** Returns the row of tokens that were paid for. */
export function toPayoutStep(
  event: ForecastPaidOut,
  step: ForecastStep,
  { gross, cost, pnl, pnlBeforeFees }: RealizedPayout,
): PredictionHistoryStep {
  const { burned, paid } = event;
  return {
    ...toSideStep(event, step, Number(event.timestamp)),
    eventType: 'payout_claimed',
    contracts: burned,
    settledContracts: burned,
    totalCost: cost,
    fee: gross - paid,
    transferred: paid,
    realizedPnl: pnl,
    realizedPnlBeforeFees: pnlBeforeFees,
    payout: gross,
  };
}

/** What a wallet loses: tokens of a side, and what they have cost. */
export interface LostTokens extends Pick<RecordedCost, 'round' | 'owner' | 'account' | 'contracts' | 'cost'> {
  readonly side: ForecastSide;
}

/** Returns the row of tokens that pay nothing. */
export function toLossStep(lost: LostTokens, step: ForecastStep): PredictionHistoryStep {
  const { contracts, cost } = lost;
  return {
    ...toSideStep(lost, step, Number(step.event.timestamp)),
    eventType: 'position_lost',
    contracts,
    settledContracts: contracts,
    totalCost: cost,
    realizedPnl: -cost,
    realizedPnlBeforeFees: -cost,
  };
}

function toTradeStep(event: ForecastSwapped, step: ForecastStep) {
  const { contracts, usdc, timestamp } = event;
  return {
    ...toSideStep(event, step, Number(timestamp)),
    eventType: 'order_filled' as const,
    contracts,
    filledContracts: contracts,
    transferred: usdc,
    rawStatus: 'Filled',
  };
}

function toSideStep(
  {
    round,
    side,
    owner,
    account,
  }: {
    readonly round: Address;
    readonly side: ForecastSide;
    readonly owner: Address;
    readonly account: Address;
  },
  { signature, slot }: ForecastStep,
  timestamp: number,
) {
  const marketIdHash = deriveForecastHash(toForecastMarketId(round, side));
  return { ...COMMON, signature, slot, timestamp, owner, position: account, marketIdHash };
}

function averagePrice(usdc: bigint, contracts: bigint): bigint {
  return contracts === 0n ? 0n : (usdc * MICRO_PER_TOKEN) / contracts;
}
