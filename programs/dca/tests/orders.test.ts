import { describe, expect, it } from 'vitest';
import {
  createCloseDca,
  createDepositDca,
  createOpenDca,
  createWithdrawDca,
} from '../../../src/protocols/jupiter-dca/dca-instructions.ts';
import { DCA_PROGRAM } from '../../../src/protocols/jupiter-dca/dca-program.ts';
import { TOKEN_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { freezeAccount } from '../../../src/solana/programs/token/instructions.ts';
import { U64_MAX } from '../../../src/solana/units.ts';
import { DcaWorld, HOLDING, NOW, ORDER_RENT, replaceAccount, TOKEN_RENT } from './world.ts';

describe('deposit', () => {
  it('adds cycles', () => {
    const world = new DcaWorld();
    const order = world.open({ inAmount: 100n });
    expect(world.must(createDepositDca(order, 250n))).toEqual([
      { kind: 'deposited', order: order.address, amount: 250n },
    ]);
    expect(world.again(order)).toMatchObject({ inDeposited: 350n, nextCycleAmountLeft: 100n });
    expect(world.balance(order.inAccount)).toBe(350n);
  });

  it('refuses nothing, more than the user has, another user, and other accounts', () => {
    const world = new DcaWorld();
    const order = world.open();
    expect(world.refusal(createDepositDca(order, 0n))).toBe(6013);
    expect(world.refusal(createDepositDca(order, HOLDING))).toBe(6014);
    const other = world.network.newWallet();
    world.hold(other, world.input, 10n);
    expect(world.refusal(createDepositDca({ ...order, user: other }, 1n))).toBe(6007);
    expect(world.refusal(createDepositDca(order, 1n, world.tokens(other, world.input)))).toBe(2015);
    const into = world.tokens(other, world.input);
    expect(world.refusal(createDepositDca({ ...order, inAccount: into }, 1n))).toBe(6023);
  });

  it('refuses a sum beyond what an order can count', () => {
    const world = new DcaWorld();
    const order = world.open();
    world.hold(world.user, world.input, U64_MAX);
    expect(world.refusal(createDepositDca(order, U64_MAX - 600n))).toBe(6022);
    expect(world.refusal(createDepositDca(order, U64_MAX))).toBe(6022);
  });
});

describe('withdraw', () => {
  it('gives back a part of the input, and the order goes on with the rest', () => {
    const world = new DcaWorld();
    const order = world.open();
    expect(world.must(createWithdrawDca(order, 'in', 540n))).toEqual([
      { kind: 'withdrawn', order: order.address, inAmount: 540n, outAmount: 0n, userWithdraw: true },
    ]);
    expect(world.again(order)).toMatchObject({ inWithdrawn: 540n, nextCycleAmountLeft: 60n });
    expect(world.balance(world.tokens(world.user, world.input))).toBe(HOLDING - 60n);
    expect(world.refusal(createWithdrawDca(order, 'in', 61n))).toBe(6012);
    world.must(createWithdrawDca(order, 'in', 60n));
    expect(world.again(order)).toMatchObject({ inWithdrawn: 600n, nextCycleAmountLeft: 0n });
  });

  it('gives out what the order has bought, also into an account that it opens or that the user names', () => {
    const world = new DcaWorld();
    const order = world.open();
    world.must(...world.fill(order, 2_000n));
    expect(world.refusal(createWithdrawDca(order, 'out', 1_999n))).toBe(6012);
    world.setWallet(world.tokens(world.user, world.output), 0n);
    const before = world.lamports(world.user);
    world.must(createWithdrawDca(order, 'out', 1_000n));
    expect(world.lamports(world.user)).toBe(before - TOKEN_RENT);
    const own = world.hold(world.user, world.output, 0n, world.network.newAddress());
    world.must(createWithdrawDca(order, 'out', 998n, own));
    expect(world.balance(world.tokens(world.user, world.output))).toBe(1_000n);
    expect(world.balance(own)).toBe(998n);
    expect(world.again(order)).toMatchObject({ outReceived: 1_998n, outWithdrawn: 1_998n });
  });

  it('refuses nothing, tokens that nobody deposited, and a side that the order does not have there', () => {
    const world = new DcaWorld();
    const order = world.open();
    expect(world.refusal(createWithdrawDca(order, 'in', 0n))).toBe(6000);
    world.hold(order.address, world.input, 700n);
    expect(world.refusal(createWithdrawDca(order, 'in', 601n))).toBe(6012);
    expect(world.refusal(createWithdrawDca(order, 'out', 1n))).toBe(6012);
    const crossed = { ...order, inAccount: order.outAccount, outAccount: order.inAccount };
    expect(world.refusal(createWithdrawDca(crossed, 'in', 1n))).toBe(6023);
    const withdrawal = createWithdrawDca(order, 'in', 1n);
    expect(world.refusal(replaceAccount(withdrawal, 5, DCA_PROGRAM))).toBe(6009);
    const bought = createWithdrawDca(order, 'out', 1n);
    expect(world.refusal(replaceAccount(bought, 6, DCA_PROGRAM))).toBe(6011);
    expect(world.refusal({ ...withdrawal, data: withdrawal.data.subarray(0, -1) })).toBe(102);
  });
});

describe('withdraw by another user', () => {
  it.each(['in', 'out'] as const)('is refused, also into own accounts (%s)', (side) => {
    const world = new DcaWorld();
    const order = world.open();
    world.must(...world.fill(order, 2_000n));
    const other = world.network.newWallet();
    const receiver = world.hold(other, side === 'in' ? world.input : world.output, 0n);
    const foreign = { ...order, user: other };
    expect(world.refusal(createWithdrawDca(foreign, side, 1n, receiver))).toBe(6007);
  });
});

describe('close_dca', () => {
  it('pays everything to the user, with all rent', () => {
    const world = new DcaWorld();
    const order = world.open();
    world.must(...world.fill(order, 2_000n));
    world.must(createWithdrawDca(order, 'in', 30n));
    const before = world.lamports(world.user);
    expect(world.must(createCloseDca(order))).toEqual([
      {
        kind: 'closed',
        user: world.user,
        order: order.address,
        inDeposited: 600n,
        inputMint: world.input,
        outputMint: world.output,
        cycleFrequency: 60n,
        inAmountPerCycle: 100n,
        createdAt: NOW,
        totalInWithdrawn: 500n,
        totalOutWithdrawn: 1_998n,
        unfilledAmount: 470n,
        userClosed: true,
      },
    ]);
    expect(world.lamports(world.user)).toBe(before + ORDER_RENT + 2n * TOKEN_RENT);
    expect(world.balance(world.tokens(world.user, world.input))).toBe(HOLDING - 100n);
    expect(world.balance(world.tokens(world.user, world.output))).toBe(HOLDING + 1_998n);
    for (const gone of [order.address, order.inAccount, order.outAccount]) {
      expect(world.network.account(gone)).toBeNull();
    }
  });

  it('lets the address be used again, also at once', () => {
    const world = new DcaWorld();
    const order = world.open();
    world.must(createCloseDca(order), createOpenDca(world.opening({ idx: order.idx, inAmount: 200n })));
    expect(world.again(order)).toMatchObject({ inDeposited: 200n, inUsed: 0n });
  });

  it('refuses another user, and accounts of others', () => {
    const world = new DcaWorld();
    const [order, other] = [world.open(), world.network.newWallet()];
    world.hold(other, world.input, 0n);
    world.hold(other, world.output, 0n);
    expect(world.refusal(createCloseDca({ ...order, user: other }))).toBe(6007);
    const foreign = world.tokens(other, world.input);
    expect(world.refusal(createCloseDca(order, { input: foreign }))).toBe(2015);
    expect(world.refusal(createCloseDca(order, { output: foreign }))).toBe(2015);
  });

  it('works when the associated account is no longer the own one: the user names another', () => {
    const world = new DcaWorld();
    const order = world.open();
    const associated = world.tokens(world.user, world.input);
    world.changeTokens(associated, { owner: world.network.newWallet() });
    expect(world.refusal(createCloseDca(order))).toBe(2015);
    const own = world.hold(world.user, world.input, 0n, world.network.newAddress());
    world.must(createCloseDca(order, { input: own }));
    expect(world.balance(own)).toBe(600n);
  });
});

describe('frozen accounts', () => {
  it('keep their own token in the order, and the user takes the other one', () => {
    const world = new DcaWorld();
    const freezer = world.network.newWallet();
    world.setMint(world.output, freezer);
    const order = world.open();
    world.must(...world.fill(order, 2_000n));
    const account = order.outAccount;
    world.must(freezeAccount(TOKEN_PROGRAM, { account, mint: world.output, freezeAuthority: freezer }));
    expect(world.refusal(createCloseDca(order))).toBe(17);
    world.now += 60n;
    expect(world.refusal(...world.fill(world.again(order), 2_000n))).toBe(17);
    world.must(createWithdrawDca(order, 'in', 500n));
    expect(world.balance(world.tokens(world.user, world.input))).toBe(HOLDING - 100n);
  });
});
