import type { PredictionHistoryStep } from '../../predictions/store/history-steps.ts';
import { ALICE, createMarketHash } from './test-prediction-accounts.ts';

/** The second in which the first event of a test lands. */
export const LANDED_AT = 1_800_000_000;

/** Creates a fill of a purchase for 1.00, with the numbers of the event and of its order. */
export function createTestFill(
  number: number,
  change: Partial<PredictionHistoryStep> = {},
): PredictionHistoryStep {
  return {
    eventType: 'order_filled',
    signature: `transaction ${number}`,
    slot: BigInt(1_000 + number),
    timestamp: LANDED_AT + number,
    order: `order ${number}`,
    position: `position of ${change.owner ?? ALICE}`,
    marketIdHash: createMarketHash(1),
    owner: ALICE,
    keeper: 'keeper',
    externalOrderId: `external ${number}`,
    orderId: `venue ${number}`,
    isBuy: true,
    isYes: false,
    contracts: 3_000_000n,
    filledContracts: 2_000_000n,
    settledContracts: 0n,
    limitPrice: 600_000n,
    averageFillPrice: 500_000n,
    deposit: 0n,
    totalCost: 1_000_000n,
    fee: 35_000n,
    integratorFee: 0n,
    grossProceeds: 0n,
    netProceeds: 0n,
    transferred: 765_000n,
    realizedPnl: null,
    realizedPnlBeforeFees: null,
    payout: 0n,
    rawStatus: 'PartiallyFilled',
    ...change,
  };
}
