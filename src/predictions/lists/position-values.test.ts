import { describe, expect, it } from 'vitest';
import { CREATED_AT, createTestEvent } from '../../testing/predictions/test-events.ts';
import { ALICE } from '../../testing/predictions/test-prediction-accounts.ts';
import type { OpenPredictionPosition, PostedPredictionResult, PredictionPrices } from '../prediction.ts';
import { createPositionLists } from './position-values.ts';

const event = createTestEvent(1);
const market = event.markets[0];
if (market === undefined) throw new Error('the event has no market');

const POSITION: OpenPredictionPosition = {
  address: ALICE,
  owner: ALICE,
  payer: ALICE,
  marketIdHash: market.marketIdHash,
  isYes: true,
  contracts: 10_000_000n,
  totalCost: 4_000_000n,
  feesPaid: 100_000n,
  realizedPnl: 0n,
  openOrders: 0,
  isClaimed: false,
  claimed: 0n,
  openedAt: BigInt(CREATED_AT),
  updatedAt: BigInt(CREATED_AT),
  bump: 255,
};

function value(
  {
    outcome = null,
    now = CREATED_AT,
    prices = { buyYes: 520_000n, buyNo: 500_000n, sellYes: 500_000n, sellNo: 480_000n },
  }: {
    readonly outcome?: PostedPredictionResult['outcome'] | null;
    readonly now?: number;
    readonly prices?: PredictionPrices | null;
  },
  change: Partial<OpenPredictionPosition> = {},
) {
  const result: PostedPredictionResult | null =
    outcome === null
      ? null
      : { address: ALICE, outcome, settlementTime: BigInt(CREATED_AT), claimsEnabled: true };
  const lists = createPositionLists({
    events: { findEvent: () => event, findMarketByHash: () => market ?? null },
    accounts: { findResult: () => result },
    exchange: { getPrices: () => prices },
    now: () => BigInt(now),
  });
  return lists.valuePosition({ ...POSITION, ...change });
}

describe('valuePosition', () => {
  it('is worth what is bid for it while its market is traded', () => {
    expect(value({})).toMatchObject({
      value: 5_000_000n,
      sellPrice: 500_000n,
      averagePrice: 400_000n,
      pnl: 1_000_000n,
      pnlPercent: 25,
      pnlAfterFees: 900_000n,
      payout: 10_000_000n,
      isClaimable: false,
      claimableAt: null,
    });
  });

  it('has no worth that is known between the close of its market and the result', () => {
    expect(value({ now: market.closeAt })).toMatchObject({
      value: null,
      markPrice: null,
      sellPrice: null,
      pnl: null,
      pnlPercent: null,
      pnlAfterFees: null,
    });
  });

  it.each([
    [1, 10_000_000n, true],
    [0, 0n, false],
    [2, 5_000_000n, true],
    [3, 4_000_000n, true],
  ] as const)('is worth what result %s pays', (outcome, worth, isClaimable) => {
    expect(value({ outcome, now: market.closeAt })).toMatchObject({
      value: worth,
      pnl: worth - 4_000_000n,
      isClaimable,
      sellPrice: null,
    });
  });

  it('is worth nothing more when it is claimed', () => {
    const claimed = { contracts: 0n, totalCost: 0n, feesPaid: 0n, isClaimed: true };
    expect(value({ outcome: 1, now: market.closeAt }, claimed)).toMatchObject({
      value: 0n,
      pnl: 0n,
      isClaimable: false,
    });
  });
});
