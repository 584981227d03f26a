import { describe, expect, it } from 'vitest';
import { createPreFlashFill } from '../../../src/protocols/jupiter-limit-order/instructions.ts';
import { encodeLimitOrder } from '../../../src/protocols/jupiter-limit-order/layout.ts';
import { LIMIT_ORDER_FEE, LIMIT_ORDER_PROGRAM } from '../../../src/protocols/jupiter-limit-order/program.ts';
import type { Address } from '../../../src/solana/address.ts';
import { type Instruction, readonly } from '../../../src/solana/messages/instruction.ts';
import { TOKEN_2022_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { approve } from '../../../src/solana/programs/token/instructions.ts';
import { CODE, LimitWorld, type PlacedOrder } from './world.ts';

describe('pre_flash_fill_order', () => {
  type Make = (w: LimitWorld, order: PlacedOrder, other: PlacedOrder) => readonly (Instruction | undefined)[];
  const attacks: readonly (readonly [string, Make, number | string])[] = [
    ['no flash fill', (w, order) => [w.pre(order, 10n)], CODE.MissingRepayInstructions],
    [
      'the flash fill first',
      (w, order) => [w.flash(order), w.pre(order, 10n)],
      CODE.InvalidBorrowMakingAmount,
    ],
    ['a flash fill alone', (w, order) => [w.flash(order)], CODE.InvalidBorrowMakingAmount],
    [
      'a flash fill of another order',
      (w, order, other) => [w.pre(order, 10n), w.flash(other)],
      CODE.InvalidOrder,
    ],
    [
      'a loan of two orders before either is paid for',
      (w, order, other) => [w.pre(order, 10n), w.pre(other, 10n), w.flash(other), w.flash(order)],
      CODE.InstructionNotAllowed,
    ],
    [
      'two loans and one flash fill',
      (w, order) => [w.pre(order, 10n), w.pre(order, 10n), w.flash(order)],
      CODE.InstructionNotAllowed,
    ],
    [
      'two flash fills',
      (w, order) => [...w.fill(order, 10n), w.flash(order)],
      CODE.InvalidBorrowMakingAmount,
    ],
    [
      'a cancellation in between',
      (w, order) => [w.pre(order, 10n), w.cancel(order), w.flash(order)],
      CODE.InstructionNotAllowed,
    ],
    [
      'a flash fill by another keeper',
      (w, order) => {
        const other = w.network.newWallet();
        w.hold(other, w.output, 1_000_000n);
        return [w.pre(order, 10n), w.flash(order, {}, other)];
      },
      CODE.InvalidKeeper,
    ],
    [
      'a flash fill whose data is cut short',
      (w, order) => {
        const flash = w.flash(order);
        return [w.pre(order, 10n), { ...flash, data: flash.data.subarray(0, 7) }];
      },
      CODE.InstructionNotAllowed,
    ],
    [
      'a flash fill with too few accounts to name an order',
      (w, order) => {
        const flash = w.flash(order);
        return [w.pre(order, 10n), { ...flash, accounts: flash.accounts.slice(0, 2) }];
      },
      CODE.InvalidOrder,
    ],
    [
      'a flash fill of another program',
      (w, order) => [w.pre(order, 10n), { ...w.flash(order), programAddress: TOKEN_2022_PROGRAM }],
      CODE.MissingRepayInstructions,
    ],
    [
      'a sysvar that is made up',
      (w, order) => {
        const { accounts, ...pre } = w.pre(order, 10n);
        const fake = w.network.newWallet();
        return [{ ...pre, accounts: [...accounts.slice(0, 6), readonly(fake)] }, w.flash(order)];
      },
      'UnsupportedSysvar',
    ],
    [
      'a taker that did not sign',
      (w, order) => {
        const pre = w.pre(order, 10n);
        return [{ ...pre, accounts: [readonly(w.keeper), ...pre.accounts.slice(1)] }];
      },
      CODE.NotSigner,
    ],
  ];

  it.each(attacks)('refuses %s', (_, make, code) => {
    const world = new LimitWorld();
    const [order, other] = [world.place(), world.place()];
    const instructions = make(world, order, other).filter((each) => each !== undefined);
    const before = snapshotOf(world, order, other);
    expect(world.refusal(...instructions)).toBe(code);
    expect(snapshotOf(world, order, other)).toEqual(before);
  });

  it('refuses a token account of somebody else, or of another mint', () => {
    const world = new LimitWorld();
    const order = world.place();
    const makers = world.tokens(world.maker, world.input);
    for (const account of [makers, world.tokens(world.keeper, world.output)]) {
      const pre = createPreFlashFill(order, world.keeper, account, 10n);
      expect(world.refusal(pre, world.flash(order))).toBe(CODE.InvalidInputAccount);
    }
  });

  it('refuses an order whose loan is outstanding, and so does cancel_order', () => {
    const world = new LimitWorld();
    const order = world.place();
    const state = world.read(order);
    if (state === null) throw new Error('no order');
    // No transaction leaves a loan behind.
    world.network.setData(
      order.address,
      LIMIT_ORDER_PROGRAM,
      encodeLimitOrder({ ...state, borrowedMaking: 1n }),
    );
    expect(world.refusal(...world.fill(order, 10n))).toBe(CODE.InvalidBorrowMakingAmount);
    expect(world.refusal(world.cancel(order))).toBe(CODE.InvalidBorrowMakingAmount);
  });
});

describe('flash_fill_order', () => {
  it('refuses to pay out of an account of the maker that the taker may spend from', () => {
    const world = new LimitWorld();
    const order = world.place();
    world.hold(world.maker, world.output, 500_000n);
    const account = world.tokens(world.maker, world.output);
    const approval = { account, delegate: world.keeper, owner: world.maker, amount: 500_000n };
    world.must(approve(world.output.tokenProgram, approval));
    const fill = world.fill(order, 1_000_000n, { source: account });
    expect(world.refusal(...fill)).toBe(CODE.InvalidTakerOutputAccount);
  });

  it('pays nobody but the maker, into its associated account', () => {
    const world = new LimitWorld();
    const order = world.place();
    const second = world.hold(world.maker, world.output, 0n, world.network.newAddress());
    const others = [
      world.tokens(world.keeper, world.output),
      world.tokens(LIMIT_ORDER_FEE, world.output),
      world.tokens(world.maker, world.input),
      second,
    ];
    for (const destination of others) {
      const fill = world.fill(order, 1_000_000n, { destination });
      expect(world.refusal(...fill)).toBe(CODE.InvalidMakerOutputAccount);
    }
  });

  it('pays fees to nobody but the account that the order names', () => {
    const world = new LimitWorld();
    const order = world.place();
    const [pre, flash] = [world.pre(order, 10n), world.flash(order)];
    for (const account of [
      world.tokens(world.keeper, world.output),
      world.tokens(world.maker, world.output),
    ]) {
      expect(world.refusal(pre, replaced(flash, 6, account))).toBe(CODE.HasOne);
    }
  });

  it('takes no other mint for the output', () => {
    const world = new LimitWorld();
    const order = world.place();
    const worthless = world.newToken();
    const fake = { ...order, outputMint: worthless.mint };
    world.hold(world.keeper, worthless, 1_000_000n);
    world.hold(world.maker, worthless, 0n);
    expect(world.refusal(world.pre(order, 10n), world.flash(fake))).toBe(CODE.HasOne);
  });

  it('calls no token program that is made up', () => {
    const world = new LimitWorld();
    const order = world.place();
    for (const [index, place] of [7, 9].entries()) {
      const fake = replaced(world.flash(order), place, TOKEN_2022_PROGRAM);
      expect(world.refusal(world.pre(order, 10n), fake), `place ${index}`).toBe(CODE.HasOne);
    }
    expect(world.refusal(replaced(world.pre(order, 10n), 5, TOKEN_2022_PROGRAM), world.flash(order))).toBe(
      CODE.HasOne,
    );
  });

  it('takes no account that is only written like an order', () => {
    const world = new LimitWorld();
    const order = world.place();
    const state = world.read(order);
    if (state === null) throw new Error('no order');
    const address = world.network.newAddress();
    world.network.setData(address, TOKEN_2022_PROGRAM, encodeLimitOrder({ ...state, taking: 1n }));
    expect(world.refusal(...world.fill({ ...order, address }, 10n))).toBe(CODE.WrongOwner);
    const rates = { ...order, address: LIMIT_ORDER_FEE };
    expect(world.refusal(...world.fill(rates, 10n))).toBe(3002);
  });
});

describe('many small fills', () => {
  it('never pay the maker less than one, though every amount is rounded', () => {
    const inOne = new LimitWorld();
    const whole = inOne.place({ making: 1_000n, taking: 777n, feeBps: 100 });
    inOne.must(...inOne.fill(whole, 1_000n));
    const world = new LimitWorld();
    const order = world.place({ making: 1_000n, taking: 777n, feeBps: 100 });
    let fills = 0;
    while (world.read(order) !== null) {
      const state = world.read(order);
      const rest = state?.taking === 1n ? (state?.making ?? 1n) : 1n;
      world.must(...world.fill(order, rest));
      fills++;
    }
    expect(fills).toBe(777);
    expect(inOne.balance(inOne.maker, inOne.output)).toBe(769n);
    // A payment of one atom is the maker's, so these pay no fee at all.
    expect(world.balance(world.maker, world.output)).toBe(777n);
  });

  it.each([2n, 3n, 7n, 100n])('of what costs %s atoms pay the maker exactly as much as one', (part) => {
    const world = new LimitWorld();
    const order = world.place({ making: 1_050n, taking: 1_050n, feeBps: 100 });
    for (let left = 1_050n; left > 0n; left -= part < left ? part : left) {
      world.must(...world.fill(order, part < left ? part : left));
    }
    expect(world.balance(world.maker, world.output)).toBe(1_039n);
    expect(world.balance(LIMIT_ORDER_FEE, world.output)).toBe(11n);
  });

  it('never get a rest for nothing', () => {
    const world = new LimitWorld();
    const order = world.place({ making: 1_000_000n, taking: 3n });
    world.must(...world.fill(order, 1n));
    world.must(...world.fill(order, 1n));
    expect(world.read(order)).toMatchObject({ making: 999_998n, taking: 1n });
    expect(world.refusal(...world.fill(order, 1n))).toBe(CODE.InvalidTakingAmount);
    world.must(...world.fill(order, 999_998n));
    expect(world.balance(world.maker, world.output) + world.balance(LIMIT_ORDER_FEE, world.output)).toBe(3n);
  });
});

function replaced(instruction: Instruction, index: number, address: Address): Instruction {
  const accounts = instruction.accounts.map((meta, at) => (at === index ? { ...meta, address } : meta));
  return { ...instruction, accounts };
}

function snapshotOf(world: LimitWorld, ...orders: readonly PlacedOrder[]) {
  const owners = [world.maker, world.keeper];
  return [
    ...orders.map((order) => [world.read(order), world.balanceAt(order.inputReserve)]),
    ...owners.map((owner) => [world.balance(owner, world.input), world.balance(owner, world.output)]),
  ];
}
