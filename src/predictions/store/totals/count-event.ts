import type { PredictionHistoryEvent } from '../../lists/prediction-lists.ts';

/** What was traded and won. Amounts are micro USD. */
export interface TradeFigures {
  readonly volume: bigint;
  /** Fees are taken off. */
  readonly realizedPnl: bigint;
  /** Predictions that were paid out in full. */
  readonly correct: number;
  /** Predictions that were lost. */
  readonly wrong: number;
}

/** What the contracts of a position have to cost so that it counts as a prediction: one dollar, in micro USD. */
export const LEAST_STAKE = 1_000_000n;

/** The figures of somebody who has done nothing. */
export const NO_FIGURES: TradeFigures = { volume: 0n, realizedPnl: 0n, correct: 0, wrong: 0 };

type CountedEvent = Pick<
  PredictionHistoryEvent,
  | 'eventType'
  | 'order'
  | 'isBuy'
  | 'totalCost'
  | 'grossProceeds'
  | 'fee'
  | 'realizedPnl'
  | 'settledContracts'
  | 'payout'
>;

/**
 * Returns what an event adds to the figures of its owner.
 *
 * A fill is volume: what a purchase has cost, or a sale has brought, before fees. One that cost no fee is none, so that nobody
 * gets volume for free by trading with themselves; only a fill without an order pays by its price, to the house. Profit and loss
 * are realized by sales, payouts and losses.
 */
export function countEvent(event: CountedEvent): TradeFigures {
  const { eventType, order, isBuy, totalCost, grossProceeds, fee } = event;
  const realizedPnl = event.realizedPnl ?? 0n;
  switch (eventType) {
    case 'order_filled': {
      const isPaid = fee > 0n || order === '';
      const volume = isPaid ? (isBuy ? totalCost : grossProceeds) : 0n;
      return { ...NO_FIGURES, volume, realizedPnl: isBuy ? 0n : realizedPnl };
    }
    case 'payout_claimed':
      return { ...NO_FIGURES, realizedPnl, correct: isPrediction(event) && isPaidInFull(event) ? 1 : 0 };
    case 'position_lost':
      return { ...NO_FIGURES, realizedPnl, wrong: isPrediction(event) ? 1 : 0 };
    default:
      return NO_FIGURES;
  }
}

/** Adds figures up. */
export function addFigures(one: TradeFigures, other: TradeFigures): TradeFigures {
  return {
    volume: one.volume + other.volume,
    realizedPnl: one.realizedPnl + other.realizedPnl,
    correct: one.correct + other.correct,
    wrong: one.wrong + other.wrong,
  };
}

/** What the owner has paid for counts, and not what it pays: others can send contracts, and that even after the result. */
function isPrediction({ settledContracts, totalCost }: CountedEvent): boolean {
  return settledContracts > 0n && totalCost >= LEAST_STAKE;
}

/** A market that was cancelled pays less than 1.00 for a contract. */
function isPaidInFull({ payout, settledContracts }: CountedEvent): boolean {
  return payout === settledContracts;
}
