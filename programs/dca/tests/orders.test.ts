import { describe, expect, it } from 'vitest';
import {
  createCloseDca,
  createDepositDca,
  createOpenDca,
  createOpenDcaV1,
  createWithdrawDca,
} from '../../../src/protocols/jupiter-dca/dca-instructions.ts';
import { DCA_PROGRAM, deriveDcaOrderAddress } from '../../../src/protocols/jupiter-dca/dca-program.ts';
import {
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '../../../src/solana/program-addresses.ts';
import { freezeAccount } from '../../../src/solana/programs/token/instructions.ts';
import { U64_MAX } from '../../../src/solana/units.ts';
import { DcaWorld, HOLDING, NOW, ORDER_RENT, replaceAccount, TOKEN_RENT } from './world.ts';

describe('open_dca_v2', () => {
  it('takes the input, and writes the order that its arguments describe', () => {
    const world = new DcaWorld();
    const payer = world.network.newWallet();
    const opening = world.opening({
      inAmount: 1_000n,
      inAmountPerCycle: 300n,
      minOutAmount: 5n,
      maxOutAmount: 9n,
    });
    const { user, input, output } = world;
    const [events, lamports] = [world.must(createOpenDca(opening, payer)), world.lamports(user)];
    const { address, bump } = deriveDcaOrderAddress(opening);
    const [inAccount, outAccount] = [world.tokens(address, input), world.tokens(address, output)];
    expect(world.order(address)).toEqual({
      address,
      user,
      inputMint: input,
      outputMint: output,
      idx: opening.idx,
      nextCycleAt: NOW,
      inDeposited: 1_000n,
      inWithdrawn: 0n,
      outWithdrawn: 0n,
      inUsed: 0n,
      outReceived: 0n,
      inAmountPerCycle: 300n,
      cycleFrequency: 60n,
      nextCycleAmountLeft: 300n,
      inAccount,
      outAccount,
      minOutAmount: 5n,
      maxOutAmount: 9n,
      keeperInBalanceBeforeBorrow: 0n,
      dcaOutBalanceBeforeSwap: 0n,
      createdAt: NOW,
      bump,
    });
    expect([world.balance(inAccount), world.balance(outAccount)]).toEqual([1_000n, 0n]);
    expect(world.balance(world.tokens(user, input))).toBe(HOLDING - 1_000n);
    // The payer pays the rent.
    expect(world.lamports(user)).toBe(lamports);
    expect(world.lamports(payer)).toBe(10_000_000_000n - ORDER_RENT - 2n * TOKEN_RENT);
    expect(events).toEqual([
      {
        kind: 'opened',
        user,
        order: address,
        inDeposited: 1_000n,
        inputMint: input,
        outputMint: output,
        cycleFrequency: 60n,
        inAmountPerCycle: 300n,
        createdAt: NOW,
      },
    ]);
  });

  it.each([
    ['no start', undefined, NOW],
    ['a start of zero, as the public client writes it', 0n, NOW],
    ['a start in the past', NOW - 1n, NOW],
    ['a start before 1970', -5n, NOW],
    ['a start in the future', NOW + 500n, NOW + 500n],
  ])('begins at the right time with %s', (_, startAt, nextCycleAt) => {
    expect(new DcaWorld().open({ startAt })).toMatchObject({ nextCycleAt, createdAt: NOW });
  });

  it.each([
    ['no input', { inAmount: 0n, inAmountPerCycle: 0n }, 6000],
    ['cycles of nothing', { inAmountPerCycle: 0n }, 6001],
    ['less than one cycle', { inAmount: 99n }, 6006],
    ['29 seconds between cycles', { cycleFrequency: 29n }, 6003],
    ['a negative time between cycles', { cycleFrequency: -60n }, 6003],
    ['a minimum above the maximum', { minOutAmount: 10n, maxOutAmount: 9n }, 6004],
    ['more than the user has', { inAmount: HOLDING + 1n }, 6014],
    ['more than the user has, by far', { inAmount: U64_MAX }, 6014],
  ] as const)('refuses %s', (_, terms, code) => {
    const world = new DcaWorld();
    expect(world.refusal(createOpenDca(world.opening(terms)))).toBe(code);
  });

  it('refuses the amount that marks orders which are being filled', () => {
    const world = new DcaWorld();
    world.hold(world.user, world.input, U64_MAX);
    expect(world.refusal(createOpenDca(world.opening({ inAmount: U64_MAX })))).toBe(6000);
    world.open({ inAmount: U64_MAX - 1n, inAmountPerCycle: U64_MAX - 1n });
  });

  it('refuses a pair of one mint, mints of Token-2022, and what is no mint', () => {
    const world = new DcaWorld();
    expect(world.refusal(createOpenDca(world.opening({ outputMint: world.input })))).toBe(6002);
    const newer = world.network.newAddress();
    world.network.setData(
      newer,
      TOKEN_2022_PROGRAM,
      world.network.account(world.output)?.data ?? new Uint8Array(),
    );
    expect(world.refusal(createOpenDca(world.opening({ outputMint: newer })))).toBe(3007);
    const tokens = world.tokens(world.user, world.output);
    expect(world.refusal(createOpenDca(world.opening({ outputMint: tokens })))).toBe('InvalidAccountData');
  });

  it('refuses a second order of the same number, and an order at another address', () => {
    const world = new DcaWorld();
    const { idx } = world.open();
    expect(world.refusal(createOpenDca(world.opening({ idx })))).toBe(0);
    const instruction = createOpenDca(world.opening());
    const other = deriveDcaOrderAddress(world.opening()).address;
    expect(world.refusal(replaceAccount(instruction, 0, other))).toBe(2006);
  });

  it('opens an order whose addresses somebody has paid into, and gives it all back', () => {
    const world = new DcaWorld();
    const opening = world.opening();
    const { address } = deriveDcaOrderAddress(opening);
    world.hold(address, world.input, 7n);
    world.hold(address, world.output, 8n);
    world.network.setAccount(address, {
      lamports: 5_000_000n,
      owner: '11111111111111111111111111111111' as typeof address,
      data: new Uint8Array(0),
      executable: false,
      rentEpoch: 0n,
    });
    const before = world.lamports(world.user);
    world.must(createOpenDca(opening));
    const order = world.order(address);
    expect(order).toMatchObject({ inDeposited: 600n, outReceived: 0n });
    world.must(createCloseDca(order));
    expect(world.balance(world.tokens(world.user, world.input))).toBe(HOLDING + 7n);
    expect(world.balance(world.tokens(world.user, world.output))).toBe(HOLDING + 8n);
    expect(world.lamports(world.user)).toBe(before + 5_000_000n + 2n * TOKEN_RENT);
  });

  it('takes the input from any account of the user, and from no account of others', () => {
    const world = new DcaWorld();
    const [own, foreign] = [world.network.newAddress(), world.network.newAddress()];
    world.hold(world.user, world.input, 600n, own);
    world.hold(world.network.newWallet(), world.input, 600n, foreign);
    world.open({ userAccount: own });
    expect(world.balance(own)).toBe(0n);
    expect(world.refusal(createOpenDca(world.opening({ userAccount: foreign })))).toBe(2015);
    const other = world.tokens(world.user, world.output);
    expect(world.refusal(createOpenDca(world.opening({ userAccount: other })))).toBe(2014);
  });

  it('takes a negative or cut argument for none', () => {
    const world = new DcaWorld();
    const instruction = createOpenDca(world.opening());
    expect(world.refusal({ ...instruction, data: instruction.data.subarray(0, -1) })).toBe(102);
    const tagged = Uint8Array.from(instruction.data);
    tagged[tagged.length - 1] = 2;
    expect(world.refusal({ ...instruction, data: tagged })).toBe(102);
    expect(world.refusal({ ...instruction, accounts: instruction.accounts.slice(0, -1) })).toBe(3005);
  });
});

describe('open_dca', () => {
  it('does the same, and the user pays', () => {
    const world = new DcaWorld();
    const opening = world.opening();
    const before = world.lamports(world.user);
    world.must(createOpenDcaV1(opening, false));
    const { address } = deriveDcaOrderAddress(opening);
    expect(world.order(address)).toMatchObject({ inDeposited: 600n, nextCycleAmountLeft: 100n });
    expect(world.lamports(world.user)).toBe(before - ORDER_RENT - 2n * TOKEN_RENT);
  });

  it('closes the account of wrapped SOL when it is asked to, and refuses it for other tokens', () => {
    const world = new DcaWorld({ input: WRAPPED_SOL_MINT });
    const before = world.lamports(world.user);
    world.must(createOpenDcaV1(world.opening(), true));
    expect(world.network.account(world.tokens(world.user, WRAPPED_SOL_MINT))).toBeNull();
    expect(world.lamports(world.user)).toBe(before - ORDER_RENT - TOKEN_RENT + HOLDING - 600n);
    const plain = new DcaWorld();
    expect(plain.refusal(createOpenDcaV1(plain.opening(), true))).toBe(6002);
  });
});

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
    world.network.setAccount(world.tokens(world.user, world.output), {
      lamports: 0n,
      owner: '11111111111111111111111111111111' as typeof world.user,
      data: new Uint8Array(0),
      executable: false,
      rentEpoch: 0n,
    });
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
