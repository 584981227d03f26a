import { describe, expect, it } from 'vitest';
import {
  createCancelPredictionOrder,
  createClosePredictionOrder,
} from '../../../src/protocols/jupiter-prediction/instructions/prediction-order-instructions.ts';
import { createClosePredictionPosition } from '../../../src/protocols/jupiter-prediction/instructions/prediction-payout-instructions.ts';
import {
  derivePredictionTokens,
  JUPUSD_MINT,
} from '../../../src/protocols/jupiter-prediction/prediction-program.ts';
import { writableSigner } from '../../../src/solana/messages/instruction.ts';
import { TOKEN_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { ordinaryTokenAccount } from '../../../src/testing/token-account.ts';
import { nameOrderTokens, ONE, PredictionWorld, replaceAccount } from './world.ts';

describe('close_order', () => {
  it('is for the keeper alone', () => {
    const world = new PredictionWorld();
    const order = world.order(world.alice);
    for (const thief of [world.alice, world.stranger, world.authority, world.cosigner, world.admin]) {
      expect(world.refusal(createClosePredictionOrder(order, thief))).toBe(6002);
    }
  });

  it('pays nobody but the owner, and the rent to nobody but who paid it', () => {
    const world = new PredictionWorld();
    const order = world.order(world.alice, {}, world.bob);
    expect(world.refusal(createClosePredictionOrder({ ...order, payer: world.keeper }, world.keeper))).toBe(
      6050,
    );
    const toBob = createClosePredictionOrder(order, world.keeper, derivePredictionTokens(world.bob));
    expect(world.refusal(toBob)).toBe(6037);
    expect(world.refusal(replaceAccount(world.close(order), 0, world.bob))).toBe(6046);
    const second = world.network.newAddress();
    const tokens = ordinaryTokenAccount({ mint: JUPUSD_MINT, owner: world.alice, amount: 0n });
    world.network.setData(second, TOKEN_PROGRAM, tokens);
    const before = world.lamports(world.bob);
    world.must(createClosePredictionOrder(order, world.keeper, second));
    expect(world.balanceAt(second)).toBe(7n * ONE);
    expect(world.lamports(world.bob) - before).toBe(5_693_280n);
  });

  it('needs no account of the owner if nothing is left', () => {
    const world = new PredictionWorld();
    const order = world.order(world.alice, { depositAmount: 6n * ONE });
    world.must(world.fill(order, 10n * ONE, 6n * ONE));
    const missing = world.network.newAddress();
    world.must(createClosePredictionOrder(order, world.keeper, missing));
    expect(world.readOrder(order)).toBeNull();
  });

  it('gives the owner what others have sent to the order', () => {
    const world = new PredictionWorld();
    const order = world.order(world.alice);
    const tokens = ordinaryTokenAccount({ mint: JUPUSD_MINT, owner: order.address, amount: 9n * ONE });
    world.network.setData(nameOrderTokens(order), TOKEN_PROGRAM, tokens);
    const [failed] = world.must(world.close(order));
    expect(failed).toMatchObject({ kind: 'order-failed', transferAmount: 9n * ONE });
    expect(world.balance(world.alice)).toBe(1_002n * ONE);
  });

  it('happens once', () => {
    const world = new PredictionWorld();
    const order = world.order(world.alice);
    world.must(world.close(order));
    expect(world.refusal(world.close(order))).toBe(3012);
    expect(world.readPosition(order)?.openOrders).toBe(0);
  });

  it('is possible while the vault permits nothing else', () => {
    const world = new PredictionWorld();
    const order = world.order(world.alice);
    world.setVault({ tradingDisabled: true, depositsDisabled: true, withdrawalsDisabled: true });
    world.must(world.close(order));
  });
});

describe('cancel_order', () => {
  it('gives the owner back what is left of the deposit', () => {
    const world = new PredictionWorld();
    const order = world.order(world.alice);
    world.must(world.fill(order, 4n * ONE, 2n * ONE, 70_000n));
    const events = world.must(world.cancel(order));
    expect(events).toMatchObject([
      {
        kind: 'order-canceled',
        status: 'cancelled',
        filledContracts: 4n * ONE,
        averagePrice: 500_000n,
        transferAmount: 4_930_000n,
        canceledBy: world.alice,
      },
    ]);
    expect(world.balance(world.alice)).toBe(1_000n * ONE - 2_070_000n);
    expect(world.readPosition(order)).toMatchObject({ contracts: 4n * ONE, openOrders: 0 });
  });

  it('needs the owner and the service, and is refused for an order that is filled', () => {
    const world = new PredictionWorld();
    const order = world.order(world.alice);
    expect(world.refusal(createCancelPredictionOrder(order, world.stranger))).toBe(6001);
    expect(world.refusal(createCancelPredictionOrder({ ...order, owner: world.bob }, world.authority))).toBe(
      3012,
    );
    const cancel = world.cancel(order);
    expect(world.refusal(replaceAccount(cancel, 0, world.bob))).toBe(6046);
    const accounts = cancel.accounts.map((meta, at) => (at === 0 ? { ...meta, role: 1 as const } : meta));
    expect(world.refusal({ ...cancel, accounts })).toBe(3010);
    world.must(world.fill(order, 10n * ONE, 5n * ONE));
    expect(world.refusal(cancel)).toBe(6028);
  });
});

describe('close_position', () => {
  it('is refused while there are contracts or open orders', () => {
    const world = new PredictionWorld();
    const position = world.buy(world.alice, 10n * ONE, 500_000n);
    const close = createClosePredictionPosition(position, world.alice, world.keeper);
    expect(world.refusal(close)).toBe(6065);
    const sale = world.order(world.alice, { isBuy: false });
    world.must(world.fill(sale, 10n * ONE, 5n * ONE));
    expect(world.refusal(close)).toBe(6065);
    world.must(world.close(sale));
    expect(world.refusal(createClosePredictionPosition(position, world.keeper, world.keeper))).toBe(6035);
    expect(world.refusal(createClosePredictionPosition(position, world.alice, world.alice))).toBe(6002);
    expect(world.refusal(replaceAccount(close, 1, world.bob))).toBe(6038);
    world.must(close);
    expect(world.refusal(close)).toBe(3012);
  });

  it('lets the position be opened again', () => {
    const world = new PredictionWorld();
    const order = world.order(world.alice);
    world.must(world.close(order), createClosePredictionPosition(order, world.alice, world.keeper));
    world.buy(world.alice, 10n * ONE, 500_000n);
    expect(world.readPosition(order)?.contracts).toBe(10n * ONE);
  });

  it('does not take a signer for the keeper by the place alone', () => {
    const world = new PredictionWorld();
    const order = world.order(world.alice);
    world.must(world.close(order));
    const close = createClosePredictionPosition(order, world.alice, world.keeper);
    const accounts = close.accounts.map((meta, at) => (at === 0 ? writableSigner(world.bob) : meta));
    expect(world.refusal({ ...close, accounts })).toBe(6002);
  });
});
