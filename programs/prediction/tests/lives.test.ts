import { describe, expect, it } from 'vitest';
import {
  createClaimPredictionPayout,
  createCloseLostPredictionPosition,
  createClosePredictionPosition,
} from '../../../src/protocols/jupiter-prediction/instructions/prediction-payout-instructions.ts';
import { HOUSE, nameOrderTokens, ONE, PredictionWorld, START } from './world.ts';

// Whole lives of orders and positions on the prediction program, with the figures of mainnet where they are recorded.

describe('a purchase', () => {
  it('is filled, closed and paid out when its side wins', () => {
    const world = new PredictionWorld();
    const order = world.order(world.alice, {
      contracts: 17_680_000n,
      limitPrice: 268_388n,
      depositAmount: 4_994_898n,
    });
    expect(world.balance(world.alice)).toBe(1_000n * ONE - 4_994_898n);
    expect(world.balanceAt(nameOrderTokens(order))).toBe(4_994_898n);
    expect(world.readOrder(order)).toMatchObject({
      status: 'pending',
      createdAt: START,
      filledContracts: 0n,
    });
    expect(world.readPosition(order)).toMatchObject({ contracts: 0n, openOrders: 1, payer: world.alice });

    const [filled, updated] = world.must(world.fill(order, 17_010_000n, 4_558_680n, 166_890n));
    expect(filled).toEqual({
      kind: 'order-filled',
      order: order.address,
      marketIdHash: world.market,
      owner: world.alice,
      externalOrderId: order.externalOrderId,
      orderId: 'fill-1',
      status: 'partially-filled',
      isBuy: true,
      isYes: true,
      contracts: 17_680_000n,
      filledContracts: 17_010_000n,
      limitPrice: 268_388n,
      averagePrice: 268_000n,
      totalCost: 4_558_680n,
      grossProceeds: 0n,
      netProceeds: 0n,
      transferAmount: 269_328n,
      fee: 166_890n,
      integratorFee: 0n,
      integrator: '11111111111111111111111111111111',
      realizedPnl: 0n,
      updatedBy: world.keeper,
      timestamp: START,
    });
    expect(updated).toMatchObject({
      kind: 'position-updated',
      contracts: 17_010_000n,
      totalCost: 4_558_680n,
    });
    expect(world.readOrder(order)).toMatchObject({
      status: 'partially-filled',
      filledContracts: 17_010_000n,
      averagePrice: 268_000n,
      filledCost: 4_558_680n,
      filledFees: 166_890n,
      orderId: 'fill-1',
    });
    expect(world.vaultBalance).toBe(HOUSE + 4_725_570n);
    expect(world.readVault().currentContracts).toBe(17_010_000n);

    const lamports = world.lamports(world.alice);
    const [closed] = world.must(world.close(order));
    expect(closed).toMatchObject({
      kind: 'order-closed',
      status: 'partially-filled',
      transferAmount: 269_328n,
    });
    expect(world.lamports(world.alice) - lamports).toBe(5_693_280n);
    expect(world.readOrder(order)).toBeNull();
    expect(world.readPosition(order)).toMatchObject({ openOrders: 0, contracts: 17_010_000n });

    world.must(world.post(1));
    const before = world.balance(world.alice);
    const [claimed] = world.must(createClaimPredictionPayout(order));
    expect(claimed).toMatchObject({
      kind: 'payout-claimed',
      contractsSettled: 17_010_000n,
      payout: 17_010_000n,
      realizedPnl: 17_010_000n - 4_558_680n - 166_890n,
      overallTotalCost: 4_558_680n,
      overallFeesPaid: 166_890n,
      outcome: 1,
      payoutPerContract: ONE,
      updatedBy: world.alice,
    });
    expect(world.balance(world.alice) - before).toBe(17_010_000n);
    expect(world.readVault().currentContracts).toBe(0n);
    expect(world.readPosition(order)).toMatchObject({ isClaimed: true, claimed: 17_010_000n, contracts: 0n });
    const [ended] = world.must(createClosePredictionPosition(order, order.payer, world.keeper));
    expect(ended).toMatchObject({ kind: 'position-closed', closedBy: world.keeper });
    expect(world.readPosition(order)).toBeNull();
    expect(world.lamports(world.alice) - lamports).toBe(5_693_280n + 2_310_720n);
  });

  it('of which nothing is filled has failed when it is closed, and all comes back', () => {
    const world = new PredictionWorld();
    const order = world.order(world.alice);
    const [failed, closed] = world.must(world.close(order));
    expect(failed).toMatchObject({ kind: 'order-failed', status: 'failed', transferAmount: 7n * ONE });
    expect(closed).toMatchObject({ kind: 'order-closed', status: 'failed', transferAmount: 7n * ONE });
    expect(world.balance(world.alice)).toBe(1_000n * ONE);
  });
});

describe('a sale', () => {
  it('of everything realizes what the recorded one did, and leaves an empty position', () => {
    const world = new PredictionWorld();
    // The recorded cost and fee, at an average that no step of a price gives.
    const bought = world.order(world.alice, {
      contracts: 6_400_000n,
      limitPrice: 730_000n,
      depositAmount: 5n * ONE,
    });
    world.must(world.fill(bought, 6_400_000n, 4_665_593n, 63_280n), world.close(bought));
    const sale = world.order(world.alice, { isBuy: false, contracts: 6_400_000n, limitPrice: 600_000n });
    const vault = world.vaultBalance;
    const outcome = world.send(world.fill(sale, 6_400_000n, 4_672_000n, 126_140n));
    expect(outcome.logs).toContain(
      'Program log: Sell order settled: fill-1 - Contracts: 6400000, Avg Fill: 730000, Gross: 4672000, Fee: 126140, Integrator: 0, Net: 4545860',
    );
    expect(world.balanceAt(nameOrderTokens(sale))).toBe(4_545_860n);
    expect(vault - world.vaultBalance).toBe(4_545_860n);
    expect(world.readPosition(sale)).toMatchObject({
      contracts: 0n,
      totalCost: 0n,
      feesPaid: 0n,
      realizedPnl: 0n,
    });
    expect(world.readOrder(sale)).toMatchObject({ status: 'filled', filledCost: 4_672_000n });
    const before = world.balance(world.alice);
    world.must(world.close(sale));
    expect(world.balance(world.alice) - before).toBe(4_545_860n);
  });

  it('of a part takes that share of cost and fees with it', () => {
    const world = new PredictionWorld();
    world.buy(world.alice, 3n * ONE, 500_001n, { venueFee: 10n });
    const sale = world.order(world.alice, { isBuy: false, contracts: ONE });
    const [filled] = world.must(world.fill(sale, ONE, 600_000n, 20n));
    // The cost of 1,500,003 is shared exactly, the fee of 10 rounds up to 4.
    expect(filled).toMatchObject({
      totalCost: 500_001n,
      netProceeds: 599_980n,
      realizedPnl: 599_980n - 500_005n,
    });
    expect(world.readPosition(sale)).toMatchObject({
      contracts: 2n * ONE,
      totalCost: 1_000_002n,
      feesPaid: 6n,
      realizedPnl: 99_975n,
    });
  });
});

describe('a lost position', () => {
  it('loses its contracts to the keeper, and its account stays until it is closed', () => {
    const world = new PredictionWorld();
    const position = world.buy(world.alice, 10n * ONE, 400_000n, { venueFee: 100n });
    world.must(world.post(0));
    const [lost] = world.must(createCloseLostPredictionPosition(position, world.keeper));
    expect(lost).toMatchObject({ kind: 'position-lost', payout: 0n, realizedPnl: -4_000_100n, outcome: 0 });
    expect(world.readPosition(position)).toMatchObject({
      contracts: 0n,
      isClaimed: false,
      realizedPnl: -4_000_100n,
    });
    expect(world.readVault().currentContracts).toBe(0n);
  });
});
