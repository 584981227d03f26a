import type { EmittedEvent } from '../../chain/events/emitted-events.ts';
import type { EventMoment, FollowedProgram } from '../../chain/events/followed-program.ts';
import type { PredictionOrderStatus } from '../../protocols/jupiter-prediction/prediction-accounts.ts';
import {
  decodePredictionEvent,
  type PredictionProgramEvent,
} from '../../protocols/jupiter-prediction/prediction-events.ts';
import type { PredictionOrderEvent } from '../../protocols/jupiter-prediction/prediction-order-events.ts';
import type { PredictionPositionEvent } from '../../protocols/jupiter-prediction/prediction-position-events.ts';
import {
  derivePredictionPosition,
  PREDICTION_PROGRAM,
} from '../../protocols/jupiter-prediction/prediction-program.ts';
import type { PredictionHistoryStep } from '../store/history-steps.ts';

/** The program of prediction markets, as it is followed by its events. */
export const FOLLOWED_PREDICTIONS: FollowedProgram<PredictionHistoryStep> = {
  name: 'prediction markets',
  program: PREDICTION_PROGRAM,
  eventAuthority: PREDICTION_PROGRAM,
  eventsIn: 'log',
  toStep,
};

const RAW_STATUSES: Readonly<Record<PredictionOrderStatus, string>> = {
  pending: 'Pending',
  filled: 'Filled',
  failed: 'Failed',
  'partially-filled': 'PartiallyFilled',
  cancelled: 'Cancelled',
};

/** What an event that names nothing else says. */
const NOTHING = {
  order: '',
  keeper: '',
  externalOrderId: '',
  orderId: '',
  isBuy: false,
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

function toStep({ data }: EmittedEvent, moment: EventMoment): PredictionHistoryStep | null {
  const event = decodePredictionEvent(data);
  if (event === null || event.kind === 'position-closed') return null;
  const { signature, slot } = moment;
  const base = { ...NOTHING, signature, slot, timestamp: Number(event.timestamp) };
  return isOrderEvent(event) ? toOrderStep(event, base) : toPositionStep(event, base);
}

type StepBase = typeof NOTHING & Pick<PredictionHistoryStep, 'signature' | 'slot' | 'timestamp'>;

function toOrderStep(event: PredictionOrderEvent, base: StepBase): PredictionHistoryStep {
  const { order, owner, marketIdHash, isBuy, isYes, externalOrderId, contracts, limitPrice } = event;
  const facts = {
    ...base,
    order,
    owner,
    marketIdHash,
    isBuy,
    isYes,
    externalOrderId,
    contracts,
    limitPrice,
    orderId: event.orderId ?? '',
    position: derivePredictionPosition(marketIdHash, owner, isYes).address,
  };
  switch (event.kind) {
    case 'order-created':
      return { ...facts, eventType: 'order_created', deposit: event.depositAmount };
    case 'order-filled':
      return {
        ...facts,
        eventType: 'order_filled',
        keeper: event.updatedBy,
        filledContracts: event.filledContracts,
        averageFillPrice: event.averagePrice,
        totalCost: event.totalCost,
        fee: event.fee,
        integratorFee: event.integratorFee,
        grossProceeds: event.grossProceeds,
        netProceeds: event.netProceeds,
        transferred: event.transferAmount,
        realizedPnl: isBuy ? null : event.realizedPnl,
        realizedPnlBeforeFees: isBuy ? null : event.grossProceeds - event.totalCost,
        rawStatus: RAW_STATUSES[event.status],
      };
    case 'order-failed':
      return {
        ...facts,
        eventType: 'order_failed',
        keeper: event.updatedBy,
        filledContracts: event.filledContracts,
        averageFillPrice: event.averagePrice,
        transferred: event.transferAmount,
        rawStatus: RAW_STATUSES[event.status],
      };
    case 'order-canceled':
      return {
        ...facts,
        eventType: 'order_closed',
        keeper: event.canceledBy,
        filledContracts: event.filledContracts,
        averageFillPrice: event.averagePrice,
        transferred: event.transferAmount,
        rawStatus: RAW_STATUSES[event.status],
      };
    case 'order-closed':
      return {
        ...facts,
        eventType: 'order_closed',
        keeper: event.closedBy,
        transferred: event.transferAmount,
        rawStatus: RAW_STATUSES[event.status],
      };
  }
}

function toPositionStep(
  event: Exclude<PredictionPositionEvent, { kind: 'position-closed' }>,
  base: StepBase,
): PredictionHistoryStep {
  const { position, owner, isYes, realizedPnl } = event;
  const facts = { ...base, position, owner, isYes, realizedPnl };
  if (event.kind === 'position-updated') {
    const { contracts, totalCost } = event;
    // The event does not name the market. The fill before it in the same transaction does.
    return { ...facts, eventType: 'position_updated', marketIdHash: null, contracts, totalCost };
  }
  return {
    ...facts,
    eventType: event.kind === 'position-lost' ? 'position_lost' : 'payout_claimed',
    marketIdHash: event.marketIdHash,
    keeper: event.updatedBy,
    contracts: event.contractsSettled,
    settledContracts: event.contractsSettled,
    totalCost: event.overallTotalCost,
    fee: event.fee,
    transferred: event.transferAmount,
    realizedPnlBeforeFees: event.payout - event.overallTotalCost,
    payout: event.payout,
  };
}

function isOrderEvent(event: PredictionProgramEvent): event is PredictionOrderEvent {
  return event.kind.startsWith('order-');
}
