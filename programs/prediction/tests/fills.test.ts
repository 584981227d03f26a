import { describe, expect, it } from 'vitest';
import {
  derivePredictionResult,
  derivePredictionTokens,
  PREDICTION_VAULT,
} from '../../../src/protocols/jupiter-prediction/prediction-program.ts';
import { createAssertAccountData } from '../../../src/protocols/lighthouse/assert-account-data.ts';
import { PREDICTION_ORDER_FILLED_AT } from '../../../src/protocols/jupiter-prediction/prediction-accounts.ts';
import { HOUSE, nameMarket, nameOrderTokens, ONE, PredictionWorld, replaceAccount } from './world.ts';

describe('fill_buy_order', () => {
  it('fills an order in parts up to what it asks for', () => {
    const world = new PredictionWorld();
    const order = world.order(world.alice);
    world.must(world.fill(order, 4n * ONE, 2n * ONE, 70_000n, { orderId: null }));
    expect(world.readOrder(order)).toMatchObject({
      status: 'partially-filled',
      averagePrice: 500_000n,
      orderId: null,
    });
    expect(world.refusal(world.fill(order, 6n * ONE + 1n, 3n * ONE))).toBe(6047);
    const [filled] = world.must(world.fill(order, 6n * ONE, 3_600_000n, 100_800n, { orderId: 'second' }));
    expect(filled).toMatchObject({ status: 'filled', filledContracts: 6n * ONE, averagePrice: 600_000n });
    expect(world.readOrder(order)).toMatchObject({
      status: 'filled',
      averagePrice: 560_000n,
      filledCost: 5_600_000n,
      filledFees: 170_800n,
      orderId: 'second',
    });
    expect(world.readPosition(order)).toMatchObject({
      contracts: 10n * ONE,
      totalCost: 5_600_000n,
      feesPaid: 170_800n,
    });
    expect(world.vaultBalance).toBe(HOUSE + 5_770_800n);
    expect(world.refusal(world.fill(order, 1n, 1n))).toBe(6028);
  });

  it.each([
    ['no contracts', 6047, 0n, 1n, 0n],
    ['no cost', 6047, ONE, 0n, 0n],
    ['more than was asked for', 6047, 10n * ONE + 1n, ONE, 0n],
    ['a price above the limit', 6053, 1_000_000n, 600_001n, 0n],
    ['a price above what a contract pays', 6048, 1_000_000n, 1_000_001n, 0n],
    ['a fee by which the contracts cost more than they pay', 6011, 1_000_000n, 600_000n, 400_001n],
    ['more than the deposit', 6040, 10n * ONE, 6_000_000n, 1_000_001n],
  ])('is refused for %s', (_, code, contracts, amount, fee) => {
    const world = new PredictionWorld();
    const order = world.order(world.alice);
    expect(world.refusal(world.fill(order, contracts, amount, fee))).toBe(code);
    expect(world.vaultBalance).toBe(HOUSE);
  });

  it('is bounded by the limits of the vault when it is filled', () => {
    const world = new PredictionWorld();
    const order = world.order(world.alice);
    world.setVault({ positionMaxContracts: 5n * ONE });
    expect(world.refusal(world.fill(order, 6n * ONE, ONE))).toBe(6044);
    world.setVault({ globalMaxContracts: 5n * ONE });
    expect(world.refusal(world.fill(order, 6n * ONE, ONE))).toBe(6045);
    world.setVault({ depositsDisabled: true });
    expect(world.refusal(world.fill(order, 6n * ONE, ONE))).toBe(6006);
    world.setVault({ tradingDisabled: true });
    expect(world.refusal(world.fill(order, 6n * ONE, ONE))).toBe(6008);
  });

  it('pays the integrator and the protocol', () => {
    const world = new PredictionWorld({ protocolFeeBps: 10 });
    world.give(world.stranger, 0n);
    const integrator = { address: world.stranger, feeBps: 100 };
    const order = world.order(world.alice, { integrator });
    const integratorTokenAccount = derivePredictionTokens(world.stranger);
    const [filled] = world.must(
      world.fill(order, 10n * ONE, 5_000_001n, 175_000n, { integratorTokenAccount }),
    );
    // The protocol's fee rounds up, the integrator's down.
    expect(filled).toMatchObject({
      fee: 175_000n + 5_001n,
      integratorFee: 50_000n,
      transferAmount: 1_769_998n,
    });
    expect(world.balance(world.stranger)).toBe(50_000n);
    expect(world.vaultBalance).toBe(HOUSE + 5_000_001n + 180_001n);
    expect(world.readPosition(order)).toMatchObject({ totalCost: 5_000_001n, feesPaid: 230_001n });
  });

  it('is refused for an integrator account that is missing, of somebody else, or not needed', () => {
    const world = new PredictionWorld();
    world.give(world.stranger, 0n);
    const order = world.order(world.alice, { integrator: { address: world.stranger, feeBps: 100 } });
    expect(world.refusal(world.fill(order, ONE, 500_000n))).toBe(6064);
    for (const account of [derivePredictionTokens(world.bob), world.bob]) {
      expect(world.refusal(world.fill(order, ONE, 500_000n, 0n, { integratorTokenAccount: account }))).toBe(
        6064,
      );
    }
    const plain = world.order(world.alice);
    const integratorTokenAccount = derivePredictionTokens(world.stranger);
    expect(world.refusal(world.fill(plain, ONE, 500_000n, 0n, { integratorTokenAccount }))).toBe(6064);
  });
});

describe('fill_sell_order', () => {
  it.each([
    ['no contracts', 6047, 0n, 1n, 0n],
    ['no proceeds', 6047, ONE, 0n, 0n],
    ['more than was offered', 6047, 8n * ONE + 1n, 8n * ONE, 0n],
    ['a price below the limit', 6053, ONE, 399_999n, 0n],
    ['a price above what a contract pays', 6048, ONE, ONE + 1n, 0n],
    ['a fee above the proceeds', 6011, ONE, 400_000n, 400_001n],
  ])('is refused for %s', (_, code, contracts, amount, fee) => {
    const world = new PredictionWorld();
    world.buy(world.alice, 10n * ONE, 500_000n);
    const vault = world.vaultBalance;
    const sale = world.order(world.alice, { isBuy: false, contracts: 8n * ONE });
    expect(world.refusal(world.fill(sale, contracts, amount, fee))).toBe(code);
    expect(world.vaultBalance).toBe(vault);
  });

  it('sells no contract twice, however many sales offer it', () => {
    const world = new PredictionWorld();
    world.buy(world.alice, 10n * ONE, 500_000n);
    const [one, other] = [0, 1].map(() => world.order(world.alice, { isBuy: false, contracts: 8n * ONE }));
    if (one === undefined || other === undefined) throw new Error('two sales');
    world.must(world.fill(one, 8n * ONE, 4n * ONE));
    expect(world.refusal(world.fill(other, 3n * ONE, 2n * ONE))).toBe(6043);
    world.must(world.fill(other, 2n * ONE, ONE));
    expect(world.refusal(world.fill(other, ONE, ONE))).toBe(6043);
    world.must(world.close(other), world.close(one));
    expect(world.readPosition(one)).toMatchObject({ contracts: 0n, openOrders: 0 });
  });

  it('is refused when the vault cannot pay', () => {
    const world = new PredictionWorld();
    world.buy(world.alice, 10n * ONE, 500_000n);
    world.give(world.stranger, 0n);
    const integrator = { address: world.stranger, feeBps: 1_000 };
    const sale = world.order(world.alice, { isBuy: false, integrator });
    const integratorTokenAccount = derivePredictionTokens(world.stranger);
    const fill = world.fill(sale, 10n * ONE, 5n * ONE, 0n, { integratorTokenAccount });
    world.give(PREDICTION_VAULT.address, 5n * ONE - 1n);
    expect(world.refusal(fill)).toBe(6054);
    world.give(PREDICTION_VAULT.address, 5n * ONE);
    const [filled] = world.must(fill);
    expect(filled).toMatchObject({
      grossProceeds: 5n * ONE,
      netProceeds: 4_500_000n,
      integratorFee: 500_000n,
    });
    expect(world.vaultBalance).toBe(0n);
    expect(world.balance(world.stranger)).toBe(500_000n);
  });
});

describe('a fill', () => {
  it('needs both keys of the vault', () => {
    const world = new PredictionWorld();
    const order = world.order(world.alice);
    const fill = world.fill(order, ONE, 500_000n);
    expect(world.refusal(replaceAccount(fill, 0, world.stranger))).toBe(6002);
    expect(world.refusal(replaceAccount(fill, 0, world.cosigner))).toBe(6002);
    expect(world.refusal(replaceAccount(fill, 1, world.stranger))).toBe(6002);
    expect(world.refusal(replaceAccount(fill, 1, world.keeper))).toBe(6002);
    const accounts = fill.accounts.map((meta, at) => (at === 1 ? { ...meta, role: 1 as const } : meta));
    expect(world.refusal({ ...fill, accounts })).toBe(3010);
  });

  it('is of the direction of its order', () => {
    const world = new PredictionWorld();
    world.buy(world.alice, 10n * ONE, 500_000n);
    const purchase = world.order(world.alice);
    const sale = world.order(world.alice, { isBuy: false });
    expect(world.refusal(world.fill({ ...purchase, isBuy: false }, ONE, 500_000n))).toBe(6050);
    expect(world.refusal(world.fill({ ...sale, isBuy: true }, ONE, 500_000n))).toBe(6050);
  });

  it('never happens once the market has a result', () => {
    const world = new PredictionWorld();
    world.buy(world.alice, 10n * ONE, 500_000n);
    const purchase = world.order(world.bob);
    const sale = world.order(world.alice, { isBuy: false });
    world.must(world.post(1));
    for (const order of [purchase, sale]) {
      const fill = world.fill(order, ONE, 500_000n);
      expect(world.refusal(fill)).toBe(6024);
      // Neither does the address of another market's result get around it.
      const other = derivePredictionResult(nameMarket(2)).address;
      expect(world.refusal(replaceAccount(fill, 10, other))).toBe(2006);
    }
    world.must(world.close(purchase), world.close(sale));
  });

  it('does not happen twice when it is guarded by what was filled before', () => {
    const world = new PredictionWorld();
    const order = world.order(world.alice);
    const guard = createAssertAccountData(order.address, {
      offset: PREDICTION_ORDER_FILLED_AT,
      size: 'u64',
      value: 0n,
    });
    const fill = world.fill(order, 4n * ONE, 2n * ONE);
    world.must(guard, fill);
    expect(world.refusal(guard, fill)).toBe(6001);
    world.must(world.close(order));
    expect(world.refusal(guard, fill)).toBe(6011);
    expect(world.readPosition(order)?.contracts).toBe(4n * ONE);
  });

  it('pairs two buyers, or two sellers, in one transaction', () => {
    const world = new PredictionWorld();
    const yes = world.order(world.alice, { limitPrice: 600_000n });
    const no = world.order(world.bob, { isYes: false, limitPrice: 400_000n });
    world.must(world.fill(yes, 5n * ONE, 3n * ONE), world.fill(no, 5n * ONE, 2n * ONE));
    expect(world.vaultBalance).toBe(HOUSE + 5n * ONE);
    expect(world.readVault().currentContracts).toBe(10n * ONE);
    const [sellYes, sellNo] = [
      world.order(world.alice, { isBuy: false, contracts: 5n * ONE }),
      world.order(world.bob, { isBuy: false, isYes: false, contracts: 5n * ONE }),
    ];
    world.must(world.fill(sellYes, 5n * ONE, 2n * ONE), world.fill(sellNo, 5n * ONE, 3n * ONE));
    expect(world.vaultBalance).toBe(HOUSE);
    expect(world.readVault().currentContracts).toBe(0n);
    expect(world.balanceAt(nameOrderTokens(sellNo))).toBe(3n * ONE);
  });
});
