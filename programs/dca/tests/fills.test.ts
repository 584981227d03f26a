import { describe, expect, it } from 'vitest';
import {
  createFulfillFlashFill,
  createInitiateFlashFill,
} from '../../../src/protocols/jupiter-dca/dca-fills.ts';
import {
  createCloseDca,
  createDepositDca,
  createWithdrawDca,
  createWithdrawDcaFees,
} from '../../../src/protocols/jupiter-dca/dca-instructions.ts';
import { DCA_FEE_AUTHORITY } from '../../../src/protocols/jupiter-dca/dca-program.ts';
import {
  computeDcaCycle,
  computeDcaDueAfter,
  computeDcaFee,
} from '../../../src/protocols/jupiter-dca/dca-schedule.ts';
import { DcaWorld, HOLDING, NOW, type OpenOrder, TOKEN_RENT } from './world.ts';

describe('a fill', () => {
  it('trades one cycle, and collects a fee of a thousandth that is rounded up', () => {
    const world = new DcaWorld();
    const order = world.open();
    const events = world.must(...world.fill(order, 2_001n));
    expect(world.again(order)).toEqual({
      ...order,
      inUsed: 100n,
      outReceived: 1_998n,
      nextCycleAt: NOW + 60n,
    });
    const fees = world.tokens(DCA_FEE_AUTHORITY.address, world.output);
    expect([world.balance(order.inAccount), world.balance(order.outAccount), world.balance(fees)]).toEqual([
      500n,
      1_998n,
      3n,
    ]);
    const named = { user: world.user, order: order.address };
    expect(events).toEqual([
      { kind: 'collectedFee', ...named, mint: world.output, amount: 3n },
      {
        kind: 'filled',
        ...named,
        inputMint: world.input,
        outputMint: world.output,
        inAmount: 100n,
        outAmount: 1_998n,
        feeMint: world.output,
        fee: 3n,
      },
    ]);
  });

  it('opens the accounts of the keeper and of the fees, which the keeper pays, once', () => {
    const world = new DcaWorld();
    const order = world.open();
    const before = world.lamports(world.keeper);
    world.must(...world.fill(order, 2_000n));
    expect(world.lamports(world.keeper)).toBe(before - 2n * TOKEN_RENT);
    world.now += 60n;
    world.must(...world.fill(world.again(order), 2_000n));
    expect(world.lamports(world.keeper)).toBe(before - 2n * TOKEN_RENT);
  });

  it('counts whatever the swap paid, when that is more than the keeper promised', () => {
    const world = new DcaWorld();
    const order = world.open();
    const [initiate, give, pay] = world.fill(order, 5_000n);
    world.must(
      initiate as never,
      give as never,
      pay as never,
      createFulfillFlashFill(world.keeper, order, 1n),
    );
    expect(world.again(order).outReceived).toBe(4_995n);
  });

  it.each([
    [1n, 0n],
    [2n, 1n],
    [1_000n, 999n],
    [1_001n, 999n],
    [1_999_999n, 1_997_999n],
  ])('leaves of %d atoms %d, or is refused when nothing is left', (paid, received) => {
    const world = new DcaWorld();
    const order = world.open();
    expect(paid - computeDcaFee(paid)).toBe(received);
    if (received === 0n) expect(world.refusal(...world.fill(order, paid))).toBe(6020);
    else {
      world.must(...world.fill(order, paid));
      expect(world.again(order).outReceived).toBe(received);
    }
  });

  it('keeps what the output account held before apart, whoever paid it', () => {
    const world = new DcaWorld();
    const order = world.open();
    world.changeTokens(order.outAccount, { amount: 77n });
    world.must(...world.fill(order, 2_000n));
    expect(world.again(order)).toMatchObject({ outReceived: 1_998n });
    expect(world.balance(order.outAccount)).toBe(1_998n + 77n);
    expect(world.refusal(createWithdrawDca(order, 'out', 1_999n))).toBe(6012);
    world.must(createCloseDca(order));
    expect(world.balance(world.tokens(world.user, world.output))).toBe(HOLDING + 1_998n + 77n);
  });

  it('costs little', () => {
    const world = new DcaWorld();
    const order = world.open();
    world.must(...world.fill(order, 2_000n));
    world.now += 60n;
    const { units } = world.send(...world.fill(world.again(order), 2_000n));
    expect(Number(units)).toBeLessThan(30_000);
  });
});

describe('the cycles of an order', () => {
  it.each([
    ['that divide the input', 600n, 100n, [100n, 100n, 100n, 100n, 100n, 100n]],
    ['with a smaller one at the end', 250n, 100n, [100n, 100n, 50n]],
    ['with one that is nearly whole at the end', 199n, 100n, [100n, 99n]],
    ['with what a division into three leaves over', 1_000n, 333n, [333n, 333n, 334n]],
    [
      'with what a division into six leaves over',
      100_000_000_004n,
      16_666_666_667n,
      [16_666_666_667n, 16_666_666_667n, 16_666_666_667n, 16_666_666_667n, 16_666_666_667n, 16_666_666_669n],
    ],
    ['with one atom more than such a rest', 103n, 50n, [50n, 50n, 3n]],
    ['of single atoms', 3n, 1n, [1n, 1n, 1n]],
    ['of which there is one', 100n, 100n, [100n]],
  ] as const)('%s', (_, inAmount, inAmountPerCycle, expected) => {
    const world = new DcaWorld();
    let order = world.open({ inAmount, inAmountPerCycle });
    const traded: bigint[] = [];
    while (computeDcaCycle(order) > 0n) {
      const before = order.inUsed;
      expect(order.nextCycleAmountLeft).toBe(computeDcaCycle(order));
      world.must(...world.fill(order, 2_000n));
      order = world.again(order);
      traded.push(order.inUsed - before);
      world.now += 60n;
    }
    expect(traded).toEqual(expected);
    expect(world.balance(order.inAccount)).toBe(0n);
    expect(world.refusal(...world.fill(order, 2_000n))).toBe(6012);
  });

  it('are filled when they are due, and not a second earlier', () => {
    const world = new DcaWorld();
    const order = world.open({ startAt: NOW + 10n });
    world.now = NOW + 9n;
    expect(world.refusal(...world.fill(order, 2_000n))).toBe(6018);
    world.now = NOW + 10n;
    world.must(...world.fill(order, 2_000n));
    expect(world.refusal(...world.fill(world.again(order), 2_000n))).toBe(6018);
    world.now = NOW + 69n;
    expect(world.refusal(...world.fill(world.again(order), 2_000n))).toBe(6018);
    world.now = NOW + 70n;
    world.must(...world.fill(world.again(order), 2_000n));
  });

  it('stay on the schedule, and are not made up for all at once after a pause', () => {
    const world = new DcaWorld();
    let order = world.open();
    const fillAt = (seconds: bigint) => {
      world.now = NOW + seconds;
      const refused = world.refusal(...world.fill(order, 2_000n));
      order = world.again(order);
      return refused ?? order.nextCycleAt - NOW;
    };
    expect(fillAt(3n)).toBe(60n);
    expect(fillAt(119n)).toBe(120n);
    // Three cycles were missed. One is filled now, and the next one at the next time of the schedule.
    expect(fillAt(365n)).toBe(420n);
    expect(fillAt(366n)).toBe(6018);
    expect(fillAt(419n)).toBe(6018);
    expect(fillAt(420n)).toBe(480n);
  });

  it('are never due again after a time that no clock reaches', () => {
    const world = new DcaWorld();
    const order = world.open({ cycleFrequency: (1n << 63n) - 1n });
    world.must(...world.fill(order, 2_000n));
    expect(world.again(order).nextCycleAt).toBe((1n << 63n) - 1n);
    expect(computeDcaDueAfter(order, NOW)).toBe((1n << 63n) - 1n);
    world.must(createCloseDca(order));
  });

  it('go on after a deposit into an order that had none left', () => {
    const world = new DcaWorld();
    const order = world.open({ inAmount: 150n });
    world.must(...world.fill(order, 2_000n));
    expect(world.again(order).nextCycleAmountLeft).toBe(50n);
    world.must(createDepositDca(order, 250n));
    expect(world.again(order).nextCycleAmountLeft).toBe(100n);
  });
});

describe('the bounds of an order', () => {
  it.each([
    ['the least, behind the fee', { minOutAmount: 1_998n }, 2_000n, null],
    ['one atom less', { minOutAmount: 1_999n }, 2_000n, 6045],
    ['the most, behind the fee', { maxOutAmount: 1_998n }, 2_000n, null],
    ['one atom more', { maxOutAmount: 1_997n }, 2_000n, 6046],
    ['what lies between', { minOutAmount: 1n, maxOutAmount: 5_000n }, 2_000n, null],
    ['bounds of zero, which are none', { minOutAmount: 0n, maxOutAmount: 0n }, 2_000n, null],
  ] as const)('hold for %s', (_, terms, paid, code) => {
    const world = new DcaWorld();
    const order = world.open(terms);
    const { error } = world.send(...world.fill(order, paid));
    expect(error?.custom ?? null).toBe(code);
    if (code !== null) expect(world.again(order)).toEqual(order);
  });

  it.each([
    ['a smaller cycle, in proportion and rounded up', 50n, { minOutAmount: 3_001n }, [1_500n, 1_501n]],
    ['a smaller cycle from above', 50n, { maxOutAmount: 3_001n }, [1_502n, 1_501n]],
  ] as const)('are those of %s', (_, inAmount, bounds, [refused, accepted]) => {
    const world = new DcaWorld();
    const order = world.open({ inAmount: 150n, ...bounds });
    world.must(createWithdrawDca(order, 'in', 150n - inAmount));
    const last = world.again(order);
    const code = 'minOutAmount' in bounds ? 6045 : 6046;
    expect(world.refusal(...world.fill(last, gross(refused)))).toBe(code);
    world.must(...world.fill(last, gross(accepted)));
    expect(world.again(last).outReceived).toBe(accepted);
  });
});

describe('withdraw_fees', () => {
  it('lets the admin take fees, and nobody else', () => {
    const world = new DcaWorld();
    world.must(...world.fill(world.open(), 2_000n));
    const receiver = world.hold(world.network.newWallet(), world.output, 0n);
    const withdraw = (admin: typeof receiver, amount: bigint) =>
      createWithdrawDcaFees(admin, { mint: world.output, amount, receiver });
    expect(world.refusal(withdraw(world.keeper, 1n))).toBe(6021);
    expect(world.refusal(withdraw(world.admin, 0n))).toBe(6000);
    expect(world.refusal(withdraw(world.admin, 3n))).toBe(6012);
    world.must(withdraw(world.admin, 2n));
    expect(world.balance(receiver)).toBe(2n);
  });
});

describe('the second half of a fill', () => {
  it('refuses a swap that paid less than the keeper promised, or nothing', () => {
    const world = new DcaWorld();
    const order = world.open();
    const parts = world.fill(order, 2_000n).slice(0, -1);
    expect(world.refusal(...parts, createFulfillFlashFill(world.keeper, order, 2_001n))).toBe(6020);
    const promise = createFulfillFlashFill(world.keeper, order, 1n);
    expect(
      world.refusal(createInitiateFlashFill(world.keeper, order), give(world, order, 100n), promise),
    ).toBe(6020);
    expect(world.refusal(...parts, createFulfillFlashFill(world.keeper, order, 0n))).toBe(6025);
  });

  it.each([
    ['keeps an atom of the input', 99n, 6019],
    ['swaps an atom of its own', 101n, 6033],
  ] as const)('refuses a keeper that %s', (_, amount, code) => {
    const world = new DcaWorld();
    const order = world.open();
    world.hold(world.keeper, world.input, 50n);
    const [, pay] = world.swap(order, 0n, 2_000n);
    const parts = [createInitiateFlashFill(world.keeper, order), give(world, order, amount), pay as never];
    expect(world.refusal(...parts, createFulfillFlashFill(world.keeper, order, 2_000n))).toBe(code);
    expect(world.balance(order.inAccount)).toBe(600n);
  });
});

/** The first half of the keeper's swap. */
function give(world: DcaWorld, order: OpenOrder, amount: bigint) {
  const [transfer] = world.swap(order, amount, 0n);
  if (transfer === undefined) throw new Error('a swap has two transfers');
  return transfer;
}

/** Returns the least amount that leaves `received` atoms behind the fee. */
function gross(received: bigint): bigint {
  let paid = received;
  while (paid - computeDcaFee(paid) < received) paid++;
  return paid;
}
