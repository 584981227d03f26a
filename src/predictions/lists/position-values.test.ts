import { describe, expect, it } from 'vitest';
import { CREATED_AT, createTestEvent } from '../../testing/predictions/test-events.ts';
import { HeldEvents } from '../../testing/predictions/held-events.ts';
import { createTestPredictionPosition } from '../../testing/predictions/test-prediction-accounts.ts';
import type { PredictionPositionAccount } from '../../protocols/jupiter-prediction/prediction-accounts.ts';
import { PREDICTION_PROGRAM } from '../../protocols/jupiter-prediction/prediction-program.ts';
import { readPredictionAccount } from '../following/read-prediction-account.ts';
import type { PostedPredictionResult, PredictionPrices } from '../prediction.ts';
import { createPositionLists } from './position-values.ts';
import type { ValuedPosition } from './prediction-lists.ts';

/** The prices of a live position of mainnet, on the side no. */
const PRICES: PredictionPrices = { buyYes: 15_000n, buyNo: 986_000n, sellYes: 14_000n, sellNo: 985_000n };

describe('valuePosition', () => {
  it('has the figures that were recorded of a position on mainnet', () => {
    const recorded = {
      isYes: false,
      contracts: 471_360_000n,
      totalCost: 465_013_310n,
      feesPaid: 438_270n,
    };
    expect(value(recorded)).toMatchObject({
      value: 464_289_600n,
      averagePrice: 986_535n,
      markPrice: 985_000n,
      sellPrice: 985_000n,
      pnl: -723_710n,
      pnlPercent: -0.15,
      pnlAfterFees: -1_161_980n,
      pnlAfterFeesPercent: -0.24,
      payout: 471_360_000n,
      isClaimable: false,
      claimableAt: null,
    });
  });

  it('has no worth while the market is not traded, and where nobody bids', () => {
    const none = { value: null, markPrice: null, pnl: null, pnlPercent: null, pnlAfterFeesPercent: null };
    const late = { now: CREATED_AT + 10 * 86_400 };
    expect(value({}, late)).toMatchObject({ ...none, averagePrice: 400_000n });
    expect(value({}, { prices: null })).toMatchObject(none);
    expect(value({}, { prices: { ...PRICES, sellYes: null } })).toMatchObject(none);
  });

  it('divides by nothing when a position is empty', () => {
    const empty = { contracts: 0n, totalCost: 0n, feesPaid: 0n };
    expect(value(empty)).toMatchObject({ value: 0n, averagePrice: 0n, pnl: 0n, pnlPercent: 0, payout: 0n });
  });

  it.each<
    [string, Partial<PostedPredictionResult>, Partial<PredictionPositionAccount>, Partial<ValuedPosition>]
  >([
    ['the side that won', {}, {}, { isClaimable: true, claimableAt: CREATED_AT, payout: 10_000_000n }],
    ['the side that lost', {}, { isYes: false }, { isClaimable: false, claimableAt: null }],
    ['no, when no has won', { outcome: 0 }, { isYes: false }, { isClaimable: true }],
    ['yes, when no has won', { outcome: 0 }, {}, { isClaimable: false }],
    ['a split', { outcome: 2 }, { isYes: false }, { isClaimable: true, payout: 5_000_000n }],
    ['a refund', { outcome: 3 }, {}, { isClaimable: true, payout: 4_000_000n }],
    [
      'a win that was paid',
      {},
      { contracts: 0n, isClaimed: true },
      { isClaimable: false, claimableAt: null },
    ],
    [
      'a win before its settlement',
      { settlementTime: BigInt(CREATED_AT) + 9n },
      {},
      { isClaimable: false, claimableAt: CREATED_AT + 9 },
    ],
    ['a win whose claims are stopped', { claimsEnabled: false }, {}, { isClaimable: false }],
  ])('knows what can be claimed of %s', (_, result, position, expected) => {
    expect(value(position, { result })).toMatchObject(expected);
  });

  it('knows nothing of a position of a market that is not offered here', () => {
    expect(value({ marketIdHash: 'f'.repeat(32) })).toBeNull();
  });

  function value(
    change: Partial<PredictionPositionAccount>,
    {
      prices = PRICES,
      now = CREATED_AT,
      result = null,
    }: {
      readonly prices?: PredictionPrices | null;
      readonly now?: number;
      readonly result?: Partial<PostedPredictionResult> | null;
    } = {},
  ): ValuedPosition | null {
    const events = new HeldEvents();
    const event = createTestEvent(1);
    events.put(event);
    const marketIdHash = event.markets[0]?.marketIdHash ?? '';
    const { address, data } = createTestPredictionPosition({ marketIdHash, ...change });
    const account = readPredictionAccount(address, data);
    if (account?.kind !== 'position') throw new Error('the test has no position');
    const posted: PostedPredictionResult = {
      address: PREDICTION_PROGRAM,
      outcome: 1,
      settlementTime: BigInt(CREATED_AT),
      claimsEnabled: true,
      ...result,
    };
    const lists = createPositionLists({
      events,
      accounts: { findResult: () => (result === null ? null : posted) },
      exchange: { getPrices: () => prices },
      now: () => BigInt(now),
    });
    return lists.valuePosition(account.position);
  }
});
