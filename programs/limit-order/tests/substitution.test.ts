import { describe, expect, it } from 'vitest';
import { createInitializeOrder } from '../../../src/protocols/jupiter-limit-order/instructions.ts';
import { substituteAccounts } from '../../../src/testing/svm/substitution.ts';
import { CODE, LimitWorld, type PlacedOrder, START, TOKEN_PROGRAMS } from './world.ts';

describe.each(TOKEN_PROGRAMS)('a pair in %s with another account in any place', (_, tokenProgram) => {
  it.each([false, true])('is refused, or does the same (in both instructions: %s)', (everywhere) => {
    const world = new LimitWorld({ tokenProgram });
    const [order, other] = [world.place(), world.place()];
    const others = [
      world.network.newWallet(),
      other.address,
      other.inputReserve,
      world.tokens(world.maker, world.input),
      world.hold(world.keeper, world.output, 700_000n, world.network.newAddress()),
      world.hold(world.keeper, world.input, 0n, world.network.newAddress()),
    ];
    const found = substituteAccounts(world.network, world.fill(order, 400_000n), others, everywhere);
    // The keeper may choose among its own accounts.
    const own = new Set(others.slice(4));
    expect(found.surprises.filter(({ substitute }) => !own.has(substitute))).toEqual([]);
    expect(found.refused).toBeGreaterThan(40);
  });
});

describe('cancel_order with another account in any place', () => {
  it('is refused, or does the same', () => {
    const world = new LimitWorld();
    const [order, other] = [world.place({ expiredAt: START + 1n }), world.place()];
    world.network.setUnixTime(START + 1n);
    const others = [
      world.keeper,
      other.address,
      other.inputReserve,
      world.tokens(world.keeper, world.input),
      world.tokens(world.maker, world.output),
    ];
    const cancelled = substituteAccounts(
      world.network,
      [world.cancel(order, world.network.newWallet())],
      others,
    );
    expect(cancelled.surprises).toEqual([]);
    expect(cancelled.refused).toBeGreaterThan(15);
  });
});

describe('every instruction with accounts or data cut off', () => {
  it('is refused with a code of its own, and changes nothing', () => {
    const world = new LimitWorld();
    const order = world.place();
    const before = snapshotOf(world, order);
    const [create, cancel] = [createInitializeOrder(world.terms()), world.cancel(order)];
    const [pre, flash] = [world.pre(order, 10n), world.flash(order)];
    for (const each of [create, cancel, pre, flash]) {
      for (let count = 0; count < each.accounts.length; count++) {
        const cut = { ...each, accounts: each.accounts.slice(0, count) };
        expect(world.refusal(cut), `${count} accounts`).toBe(CODE.NotEnoughAccounts);
      }
      for (let length = 0; length < each.data.length; length++) {
        const cut = { ...each, data: each.data.subarray(0, length) };
        expect(world.refusal(cut), `${length} bytes`).toBe(length < 8 ? 101 : 102);
      }
    }
    expect(snapshotOf(world, order)).toEqual(before);
  });
});

function snapshotOf(world: LimitWorld, ...orders: readonly PlacedOrder[]) {
  const owners = [world.maker, world.keeper];
  return [
    ...orders.map((order) => [world.read(order), world.balanceAt(order.inputReserve)]),
    ...owners.map((owner) => [world.balance(owner, world.input), world.balance(owner, world.output)]),
  ];
}
